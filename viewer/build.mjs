// Bundles src/main.ts with its style into one HTML page without outside references: node build.mjs [OUTPUT]
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "page.html");

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "iife",
  target: "es2022",
  outdir: "dist",
  legalComments: "none", // the whole licence texts are kept below
});

const text = (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix)).text.trim();
const script = text(".js");
// Only this script may run, and nothing may be fetched, whatever the document contains.
const hash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slipstick</title>
<style>${text(".css")}</style>
</head>
<body>
<noscript>This page draws its result with JavaScript, which is switched off here.</noscript>
<div id="page"></div>
<script type="application/json" id="document">null</script>
<script>${script}</script>
</body>
</html>
<!--
${licences(Object.keys(result.metafile.inputs)).replaceAll("--", "- -")}
-->
`;

mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);

/** The licence text of every bundled package, equal texts once. */
function licences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  const holders = new Map();
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const licence = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
    holders.set(licence, [...(holders.get(licence) ?? []), `${name} ${version}`]);
  }
  return [...holders].map(([licence, names]) => `This page contains ${names.join(", ")}:\n\n${licence}\n`).join("\n");
}
