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

# Before all else, so that it sees errors of the page. What it found goes to the page around it, and then to us.
WATCH = """<script>var errors=[];addEventListener('error',function(e){errors.push(e.message)});
addEventListener('securitypolicyviolation',function(e){errors.push('policy: '+e.violatedDirective)});
addEventListener('load',function(){
document.querySelectorAll('details').forEach(function(part){part.open=true});
var plots=[].slice.call(document.querySelectorAll('figure svg'));
var boxes=plots.map(function(svg){var box=svg.getBoundingClientRect();
return [box.width,box.height,svg.getBBox().width,svg.getBBox().height]});
var letters=plots.map(function(svg){var scale=svg.getBoundingClientRect().width/svg.viewBox.baseVal.width;
return Math.min.apply(null,[].map.call(svg.querySelectorAll('text'),function(text){
return scale*parseFloat(getComputedStyle(text).fontSize)}))});
var outside=plots.filter(function(svg){var frame=svg.getBoundingClientRect();
return [].some.call(svg.querySelectorAll('text'),function(text){var box=text.getBoundingClientRect();
return box.left<frame.left-1||box.right>frame.right+1})}).map(function(svg){return svg.getAttribute('aria-label')});
var cut=[].filter.call(document.querySelectorAll('h1,h2,p,.files'),function(part){return part.scrollWidth>part.clientWidth+1||
part.getBoundingClientRect().right>innerWidth}).map(function(part){return part.tagName});
var first=document.querySelector('.key'),hidden=[];function off(){return document.querySelectorAll('.series.off').length}
if(first){first.focus();hidden.push(document.activeElement===first);['Enter',' '].forEach(function(key){
first.dispatchEvent(new KeyboardEvent('keydown',{key:key,bubbles:true}));hidden.push(off())});
first.dispatchEvent(new MouseEvent('click',{bubbles:true}));hidden.push(off())}
parent.postMessage({errors:errors,boxes:boxes,letters:letters,outside:outside,cut:cut,width:innerWidth,
needed:document.documentElement.scrollWidth,hidden:hidden,buttons:document.querySelectorAll('figure button').length},'*')})</script>"""

# Windows cannot be narrower than 500, frames can.
AROUND = """<!DOCTYPE html><title></title><iframe src="page.html" width="%d" height="900" style="border:0"></iframe>
<script>addEventListener('message',function(e){document.title=JSON.stringify(e.data)})</script>"""

CASES = [("full", 1400), ("full", 800), ("full", 400), ("hostile", 400), ("strange", 400), ("compared", 400), ("compared", 800)]
LETTERS_LEAST = 11  # pixels


def look(browser, folder, page, width):
    with open(os.path.join(folder, "page.html"), "w", encoding="utf-8") as file:
        file.write(page.replace("<head>", "<head>" + WATCH, 1))
    path = os.path.join(folder, "around.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(AROUND % width)
    ended = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                            "--window-size=1500,900", "--dump-dom", "file://" + path],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200, check=True)
    title = re.search(r"<title>(.*?)</title>", ended.stdout.decode(), re.DOTALL).group(1)
    return json.loads(html.unescape(title))


def check(case, page, seen, width):
    plots = page.count("<figure><svg ")
    assert not seen["errors"], (case, seen["errors"])
    assert seen["width"] == width, seen["width"]
    assert len(seen["boxes"]) == plots == seen["buttons"], (case, plots, len(seen["boxes"]), seen["buttons"])
    assert all(min(box) > 20 for box in seen["boxes"]), (case, seen["boxes"])
    assert seen["needed"] <= seen["width"], f"{case}: {seen['needed']} wide in a window of {seen['width']}"
    assert not seen["cut"], f"{case}: cut off in a window of {width}: {seen['cut']}"
    assert min(seen["letters"]) > LETTERS_LEAST - 0.5, f"{case}: letters of {min(seen['letters'])} px in a window of {width}"
    # Names and numbers that nobody has may need more room.
    assert case in ("hostile", "strange") or not seen["outside"], f"{case}: text that sticks out of its plot in a window of {width}: {seen['outside']}"
    if 'class="key' in page:
        focused, by_enter, by_blank, by_click = seen["hidden"]
        assert focused and by_enter and not by_blank and by_click, (case, seen["hidden"])


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for case, width in CASES:
            page = subprocess.run([sys.argv[1], case], stdout=subprocess.PIPE, check=True).stdout.decode()
            check(case, page, look(browser, folder, page, width), width)
    return 0


sys.exit(main())
