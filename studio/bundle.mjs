/** Bundles the studio: node bundle.mjs */

import { build } from "esbuild";
import svelte from "esbuild-svelte";

await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "motorikStudio",
  target: "es2022",
  legalComments: "eof",
  charset: "utf8",
  conditions: ["svelte", "browser", "production"],
  mainFields: ["svelte", "browser", "module", "main"],
  // the viewer's sources find three.js here
  nodePaths: ["node_modules"],
  outfile: "../src/motorik/view/studio/page/studio.js",
  plugins: [
    svelte({
      compilerOptions: { css: "external" },
      filterWarnings: ({ filename }) => !filename?.includes("node_modules"),
    }),
  ],
});
