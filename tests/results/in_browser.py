"""The page as a browser sees it, narrow and wide: no error, plots that can be seen, nothing that sticks out.

    in_browser.py WRITE_PAGE"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Before all else, so that it sees errors of the page; what it found ends up in the page itself, which is then printed.
WATCH = """<script>var errors=[];addEventListener('error',function(e){errors.push(e.message)});
addEventListener('securitypolicyviolation',function(e){errors.push('policy: '+e.violatedDirective)});
addEventListener('load',function(){
document.querySelectorAll('details').forEach(function(part){part.open=true});
var boxes=[].map.call(document.querySelectorAll('svg'),function(svg){var box=svg.getBoundingClientRect();
return [box.width,box.height,svg.getBBox().width,svg.getBBox().height]});
var first=document.querySelector('.key');if(first)first.dispatchEvent(new MouseEvent('click',{bubbles:true}));
document.title=JSON.stringify({errors:errors,boxes:boxes,width:innerWidth,needed:document.documentElement.scrollWidth,
hidden:document.querySelectorAll('.series.off').length,buttons:document.querySelectorAll('figure button').length})})</script>"""

CASES = [("full", 1400), ("full", 500), ("hostile", 500), ("strange", 500), ("compared", 500)]  # there is no window that is narrower


def look(browser, folder, page, width):
    path = os.path.join(folder, "page.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page.replace("<head>", "<head>" + WATCH, 1))
    ended = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                            f"--window-size={width},900", "--dump-dom", "file://" + path],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200, check=True)
    title = re.search(r"<title>(.*?)</title>", ended.stdout.decode(), re.DOTALL).group(1)
    return json.loads(html.unescape(title))


def check(case, page, seen):
    plots = page.count("<svg ")
    assert not seen["errors"], (case, seen["errors"])
    assert len(seen["boxes"]) == plots == seen["buttons"], (case, plots, len(seen["boxes"]), seen["buttons"])
    assert all(min(box) > 20 for box in seen["boxes"]), (case, seen["boxes"])
    assert seen["needed"] <= seen["width"], f"{case}: {seen['needed']} wide in a window of {seen['width']}"
    assert bool(seen["hidden"]) == ('class="key' in page), (case, seen["hidden"])


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for case, width in CASES:
            page = subprocess.run([sys.argv[1], case], stdout=subprocess.PIPE, check=True).stdout.decode()
            check(case, page, look(browser, folder, page, width))
    return 0


sys.exit(main())
