#include "CResources.h"

// Clang reads the files as they are, and again whenever one has changed: nothing is generated, and nothing is searched for
// when the program runs.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const okc_resource resources[] = {
    {"Public/okcancel.d.ts", (const unsigned char[]){
#embed "../../Public/okcancel.d.ts" suffix(, 0)
    }},
    {"Public/openapi.json", (const unsigned char[]){
#embed "../../Public/openapi.json" suffix(, 0)
    }},
    {"Public/prompt.schema.json", (const unsigned char[]){
#embed "../../Public/prompt.schema.json" suffix(, 0)
    }},
    {"Public/translation.schema.json", (const unsigned char[]){
#embed "../../Public/translation.schema.json" suffix(, 0)
    }},
    {"Sources/Asks/Store/schema.sql", (const unsigned char[]){
#embed "../../Sources/Asks/Store/schema.sql" suffix(, 0)
    }},
    {"Sources/Asks/Store/statements.sql", (const unsigned char[]){
#embed "../../Sources/Asks/Store/statements.sql" suffix(, 0)
    }},
    {"Sources/Asks/faults.txt", (const unsigned char[]){
#embed "../../Sources/Asks/faults.txt" suffix(, 0)
    }},
    {"Sources/Asks/settings.txt", (const unsigned char[]){
#embed "../../Sources/Asks/settings.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Definitions/yaml-problems.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Definitions/yaml-problems.txt" suffix(, 0)
    }},
    {"Sources/OKCancel/MCP/Tools.json", (const unsigned char[]){
#embed "../../Sources/OKCancel/MCP/Tools.json" suffix(, 0)
    }},
    {"Sources/OKCancel/HTTP/problems.txt", (const unsigned char[]){
#embed "../../Sources/OKCancel/HTTP/problems.txt" suffix(, 0)
    }},
    {"Sources/OKCancel/MCP/protocol-errors.txt", (const unsigned char[]){
#embed "../../Sources/OKCancel/MCP/protocol-errors.txt" suffix(, 0)
    }},
    {"Sources/OKCancel/Operation/metrics.txt", (const unsigned char[]){
#embed "../../Sources/OKCancel/Operation/metrics.txt" suffix(, 0)
    }},
    {"Sources/OKCancelCLI/commands.txt", (const unsigned char[]){
#embed "../../Sources/OKCancelCLI/commands.txt" suffix(, 0)
    }},
    {"Sources/OKCancelCLI/failures.txt", (const unsigned char[]){
#embed "../../Sources/OKCancelCLI/failures.txt" suffix(, 0)
    }},
    {"Sources/OKCancelCLI/options.txt", (const unsigned char[]){
#embed "../../Sources/OKCancelCLI/options.txt" suffix(, 0)
    }},
    {"Sources/OKCancelCLI/redirect.html", (const unsigned char[]){
#embed "../../Sources/OKCancelCLI/redirect.html" suffix(, 0)
    }},
    {"Sources/OKCancelCLI/shell-variables.txt", (const unsigned char[]){
#embed "../../Sources/OKCancelCLI/shell-variables.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/ar.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/ar.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/cs.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/cs.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/da.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/da.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/de.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/de.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/en.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/en.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/es.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/es.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/fi.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/fi.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/fr.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/fr.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/he.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/he.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/hi.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/hi.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/it.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/it.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/ja.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/ja.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/ko.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/ko.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/nb.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/nb.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/nl.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/nl.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/pl.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/pl.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/pt-BR.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/pt-BR.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/sv.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/sv.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/tr.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/tr.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/uk.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/uk.json" suffix(, 0)
    }},
    {"Sources/Prompts/Languages/zh-Hans.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Languages/zh-Hans.json" suffix(, 0)
    }},
    {"Sources/Prompts/faults.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/faults.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Reading/Schema/keywords.json", (const unsigned char[]){
#embed "../../Sources/Prompts/Reading/Schema/keywords.json" suffix(, 0)
    }},
    {"Sources/Prompts/Reading/autofill.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Reading/autofill.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Pattern/Unicode/case-folding.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Pattern/Unicode/case-folding.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Pattern/Unicode/categories.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Pattern/Unicode/categories.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Pattern/Unicode/digits.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Pattern/Unicode/digits.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Pattern/Unicode/hidden.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Pattern/Unicode/hidden.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Pattern/Unicode/hosts.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Pattern/Unicode/hosts.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Pattern/Unicode/names.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Pattern/Unicode/names.txt" suffix(, 0)
    }},
    {"Sources/Prompts/Pattern/Unicode/scripts.txt", (const unsigned char[]){
#embed "../../Sources/Prompts/Pattern/Unicode/scripts.txt" suffix(, 0)
    }},
    {"Templates/button.mustache", (const unsigned char[]){
#embed "../../Templates/button.mustache" suffix(, 0)
    }},
    {"Templates/context.mustache", (const unsigned char[]){
#embed "../../Templates/context.mustache" suffix(, 0)
    }},
    {"Templates/control-boolean.mustache", (const unsigned char[]){
#embed "../../Templates/control-boolean.mustache" suffix(, 0)
    }},
    {"Templates/control-checkboxes.mustache", (const unsigned char[]){
#embed "../../Templates/control-checkboxes.mustache" suffix(, 0)
    }},
    {"Templates/control-line.mustache", (const unsigned char[]){
#embed "../../Templates/control-line.mustache" suffix(, 0)
    }},
    {"Templates/control-multiline.mustache", (const unsigned char[]){
#embed "../../Templates/control-multiline.mustache" suffix(, 0)
    }},
    {"Templates/control-password.mustache", (const unsigned char[]){
#embed "../../Templates/control-password.mustache" suffix(, 0)
    }},
    {"Templates/control-radios.mustache", (const unsigned char[]){
#embed "../../Templates/control-radios.mustache" suffix(, 0)
    }},
    {"Templates/control-select.mustache", (const unsigned char[]){
#embed "../../Templates/control-select.mustache" suffix(, 0)
    }},
    {"Templates/control-slider.mustache", (const unsigned char[]){
#embed "../../Templates/control-slider.mustache" suffix(, 0)
    }},
    {"Templates/described.mustache", (const unsigned char[]){
#embed "../../Templates/described.mustache" suffix(, 0)
    }},
    {"Templates/dialog.mustache", (const unsigned char[]){
#embed "../../Templates/dialog.mustache" suffix(, 0)
    }},
    {"Templates/done.mustache", (const unsigned char[]){
#embed "../../Templates/done.mustache" suffix(, 0)
    }},
    {"Templates/error.mustache", (const unsigned char[]){
#embed "../../Templates/error.mustache" suffix(, 0)
    }},
    {"Templates/field.mustache", (const unsigned char[]){
#embed "../../Templates/field.mustache" suffix(, 0)
    }},
    {"Templates/index.mustache", (const unsigned char[]){
#embed "../../Templates/index.mustache" suffix(, 0)
    }},
    {"Templates/label.mustache", (const unsigned char[]){
#embed "../../Templates/label.mustache" suffix(, 0)
    }},
    {"Templates/option.mustache", (const unsigned char[]){
#embed "../../Templates/option.mustache" suffix(, 0)
    }},
    {"Templates/page.mustache", (const unsigned char[]){
#embed "../../Templates/page.mustache" suffix(, 0)
    }},
    {"Templates/summary.mustache", (const unsigned char[]){
#embed "../../Templates/summary.mustache" suffix(, 0)
    }},
    {"Templates/typed.mustache", (const unsigned char[]){
#embed "../../Templates/typed.mustache" suffix(, 0)
    }},
    {"Templates/typing.mustache", (const unsigned char[]){
#embed "../../Templates/typing.mustache" suffix(, 0)
    }},
    {"Templates/unit.mustache", (const unsigned char[]){
#embed "../../Templates/unit.mustache" suffix(, 0)
    }},
};

const okc_resource *okc_resource_at(size_t place) {
  return place < sizeof resources / sizeof *resources ? &resources[place] : NULL;
}
