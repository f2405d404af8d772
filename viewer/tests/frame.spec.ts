import { expect, makeDocument, test } from "./fixtures/page";

const kNothing = { state: {}, class: "consistent", solutions: [], contacts: [], p_matrix: null, marginal: [] };
const kPlain = makeDocument({ verb: "classify", result: kNothing, notices: ["Mind this."] });

test("header, command, notices and footer say what the result is", async ({ show }) => {
  const page = await show({ ...kPlain, model: { ...kPlain.model, source: "[Or2014]" }, settings: ["mu=0.7"] });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fixture");
  await expect(page.locator(".facts")).toContainText("[Or2014]");
  await expect(page.locator(".facts")).toContainText("mu=0.7");
  await expect(page.locator(".command code")).toHaveText("slipstick classify fixture");
  await expect(page.getByText("Mind this.")).toBeVisible();
  await expect(page.locator("footer")).toHaveText("slipstick 0.0.0");
});

test("a name that contains HTML is shown as text", async ({ show }) => {
  const hostile = "<script>alert(1)</script><b>bold</b>";
  const page = await show({
    ...kPlain,
    command: hostile,
    settings: [hostile],
    notices: [hostile],
    model: { ...kPlain.model, name: hostile, title: hostile, source: hostile },
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(hostile);
  await expect(page.locator("#page b, #page script")).toHaveCount(0);
});

test("a page without a document, or with one of another version, says so", async ({ show }) => {
  await expect((await show(null)).getByText("holds no result")).toBeVisible();
  await expect((await show({ ...kPlain, page: 99 })).getByText("of version 99 (written by slipstick 0.0.0)")).toBeVisible();
  await expect((await show({ program: "other" })).getByText("not written by slipstick")).toBeVisible();
  await expect((await show({ ...kPlain, verb: "dance" })).getByText('cannot show results of "dance"')).toBeVisible();
});

test("the scheme follows the system and the button", async ({ page, show }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await show(kPlain);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await background()).toBe("rgb(20, 23, 28)");
  await page.getByRole("button", { name: "Change between light and dark" }).click();
  expect(await background()).toBe("rgb(255, 255, 255)");
});
