#include "base/sarif.h"

#include "base/paths.h"

#include <inttypes.h>
#include <string.h>

#define ROOT "SRCROOT"
#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

void sarif_begin(struct json *json, const char *version)
{
	json_open(json, NULL, '{');
	json_text(json, "$schema", SCHEMA);
	json_text(json, "version", "2.1.0");
	json_open(json, "runs", '[');
	json_open(json, NULL, '{');
	json_open(json, "tool", '{');
	json_open(json, "driver", '{');
	json_text(json, "name", "Tarry");
	json_text(json, "version", version);
	json_open(json, "rules", '[');
}

void sarif_message(struct json *json, const char *key, const char *text)
{
	scoped_text escaped = {0};

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

static void add_artifact(struct json *json, const char *root, const char *file)
{
	const char *below = path_below(root, file);
	scoped_text uri = {0};

	if (*below == '/')
		text_add(&uri, "file://");
	add_encoded(&uri, below);
	json_open(json, "artifactLocation", '{');
	json_text(json, "uri", text_get(&uri));
	if (*below != '/')
		json_text(json, "uriBaseId", ROOT);
	json_close(json, '}');
}

void sarif_notification(struct json *json, const char *level, const char *text)
{
	json_open(json, NULL, '{');
	json_text(json, "level", level);
	sarif_message(json, "message", text);
	json_close(json, '}');
}

void sarif_place(struct json *json, const char *root, const char *file, int line, const char *function)
{
	if (file) {
		json_open(json, "physicalLocation", '{');
		add_artifact(json, root, file);
		if (line > 0) {
			json_open(json, "region", '{');
			json_number(json, "startLine", line);
			json_close(json, '}');
		}
		json_close(json, '}');
	}
	json_open(json, "logicalLocations", '[');
	json_open(json, NULL, '{');
	json_text(json, "name", function);
	json_text(json, "kind", "function");
	json_close_all(json, "}]");
}

void sarif_fingerprint(struct json *json, const char *key, const uint64_t *hashes, size_t number)
{
	scoped_text text = {0};
	size_t same = 1;

	for (size_t i = 0; i < number; i++)
		same += hashes[i] == hashes[number];
	text_add(&text, "%016" PRIx64 ":%zu", hashes[number], same);
	json_open(json, "partialFingerprints", '{');
	json_text(json, key, text_get(&text));
	json_close(json, '}');
}

void sarif_root(struct json *json, const char *root)
{
	scoped_text uri = {0};

	if (!root)
		return;
	text_add(&uri, "file://");
	add_encoded(&uri, root);
	if (!text_ends(root, "/"))
		text_add(&uri, "/");
	json_open(json, "originalUriBaseIds", '{');
	json_open(json, ROOT, '{');
	json_text(json, "uri", text_get(&uri));
	json_close_all(json, "}}");
}
