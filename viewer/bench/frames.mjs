// Frame times of a page with many rows: node bench/frames.mjs, after npm run build. Not a test: figures depend on the machine.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { build } from "esbuild";

const here = new URL("../", import.meta.url);
const bundle = new URL("dist/frames-fixtures.mjs", here);
await build({
  stdin: {
    contents: 'export { longMotion } from "./tests/fixtures/motion"; export { fillPage } from "./tests/fixtures/page";',
    resolveDir: fileURLToPath(here),
  },
  bundle: true,
  platform: "node",
  format: "esm",
  external: ["@playwright/test"],
  define: { "import.meta.url": JSON.stringify(new URL("tests/fixtures/page.ts", here).href) },
  outfile: fileURLToPath(bundle),
});
const { longMotion, fillPage } = await import(bundle.href);
const path = join(tmpdir(), "slipstick-frames.html");
writeFileSync(path, fillPage(longMotion()));

const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
const begin = performance.now();
await page.goto(pathToFileURL(path).href);
await page.locator(".curve svg").first().waitFor();
console.log(`load to first curve: ${(performance.now() - begin).toFixed(0)} ms`);

const cdp = await page.context().newCDPSession(page);
// Processor time of the main thread, which does not depend on how busy the machine is.
await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
const taskTime = async () => (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
const frames = (count) =>
  page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const gaps = [];
        let last = performance.now();
        const tick = () => {
          const now = performance.now();
          gaps.push(now - last);
          last = now;
          if (gaps.length < wanted) requestAnimationFrame(tick);
          else resolve(gaps);
        };
        requestAnimationFrame(tick);
      }),
    count,
  );

async function measure(name, count) {
  const before = await taskTime();
  const gaps = (await frames(count)).sort((a, b) => a - b);
  const busy = (1000 * ((await taskTime()) - before)) / count;
  const at = (part) => gaps[Math.floor(part * (count - 1))].toFixed(1);
  console.log(`${name}: ${at(0.5)} ms a frame (95 %: ${at(0.95)} ms), processor time of the page ${busy.toFixed(1)} ms`);
}

await measure("still", 120);
await page.getByRole("button", { name: "To the end" }).click();
await page.getByRole("button", { name: "Play" }).click();
await measure("playing", 240);
await page.keyboard.press("Home");
await page.keyboard.press("End");
await page.evaluate(() => {
  const drawing = document.querySelector(".curve .drawing");
  const box = drawing.getBoundingClientRect();
  let turns = 0;
  const spin = () => {
    const deltaY = turns++ % 60 < 30 ? -60 : 60;
    drawing.dispatchEvent(new WheelEvent("wheel", { deltaY, ctrlKey: true, clientX: box.left + box.width / 2, clientY: box.top + 60, bubbles: true, cancelable: true }));
    if (turns < 240) requestAnimationFrame(spin);
  };
  spin();
});
await measure("zooming, curves drawn anew", 120);
await browser.close();
