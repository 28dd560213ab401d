// Reveals texts as a browser does: a JSON list of texts in, the list of what hidden.js makes of them out.
import { readFileSync } from "node:fs";
import { reveal } from "../../Public/hidden.js";

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((text) => reveal(text).text)));
