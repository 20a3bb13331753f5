#include "base/sarif.h"

#include "base/paths.h"

#include <string.h>

#define ROOT "SRCROOT"

void sarif_message(struct json *json, const char *key, const char *text)
{
	struct text escaped = {0};

	for (; *text; text++) {
		if (strchr("{}", *text))
			text_add(&escaped, "%c", *text);
		else if (strchr("[]\\", *text))
			text_add(&escaped, "\\");
		text_add_bytes(&escaped, text, 1);
	}
	json_open(json, key, '{');
	json_text(json, "text", text_get(&escaped));
	json_close(json, '}');
	text_release(&escaped);
}

static void add_encoded(struct text *out, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

	while (*path) {
		size_t length = strspn(path, plain);
		text_add_bytes(out, path, length);
		path += length;
		if (*path)
			text_add(out, "%%%02X", (unsigned char)*path++);
	}
}

void sarif_artifact(struct json *json, const char *root, const char *file)
{
	const char *below = path_below(root, file);
	struct text uri = {0};

	if (*below == '/')
		text_add(&uri, "file://");
	add_encoded(&uri, below);
	json_open(json, "artifactLocation", '{');
	json_text(json, "uri", text_get(&uri));
	if (*below != '/')
		json_text(json, "uriBaseId", ROOT);
	json_close(json, '}');
	text_release(&uri);
}

void sarif_root(struct json *json, const char *root)
{
	struct text uri = {0};

	if (!root)
		return;
	text_add(&uri, "file://");
	add_encoded(&uri, root);
	if (!text_ends(root, "/"))
		text_add(&uri, "/");
	json_open(json, "originalUriBaseIds", '{');
	json_open(json, ROOT, '{');
	json_text(json, "uri", text_get(&uri));
	json_close(json, '}');
	json_close(json, '}');
	text_release(&uri);
}
