// The table of events, linked to the clock.

import { button, make, on, type Child } from "../dom";
import { count, number } from "../format";
import { choiceSentence, eventChip, modeWord } from "../words";
import type { ShownEvent } from "./motion";
import type { Player } from "./player";

/** Number of rows in the page at once. */
const kPage = 200;
/** Least time between updates of the table while the motion plays [ms]: more often would cost time, and nobody could read it. */
const kPatience = 150;

export function eventTable(player: Player, contacts: string[]): HTMLElement {
  const body = make("tbody", {});
  const range = make("div", { class: "controls" });
  const detail = make("div", { class: "event-detail", "aria-live": "polite" });
  let first = 0;
  let shown = -2;
  let followed = 0;

  const fill = (): void => {
    const { events } = player.motion;
    const rows = events.slice(first, first + kPage).map((event, i) => row(event, first + i));
    body.replaceChildren(...rows);
    shown = -2;
    range.replaceChildren(...pages(events.length));
  };

  const row = (event: ShownEvent, index: number): HTMLElement => {
    const go = (): void => {
      player.pause();
      player.goToEvent(index);
    };
    const element = make(
      "tr",
      { tabindex: -1, "data-event": index, title: "Go to this event" },
      make("td", { class: "number" }, number(event.time, 7)),
      make("td", {}, eventChip(event.type), event.policy !== undefined && make("span", { class: "mark" }, "choice")),
      make("td", {}, event.contacts.join(", ")),
      make("td", { class: "steady" }, modeWord(event.modes_before, contacts), " → ", modeWord(event.modes_after, contacts)),
      make("td", { class: "number" }, energyChange(event)),
    );
    return on(element, {
      click: go,
      keydown: (key) => {
        if (key.key === "Enter") go();
        else if (key.key === "ArrowDown") (element.nextElementSibling as HTMLElement | null)?.focus();
        else if (key.key === "ArrowUp") (element.previousElementSibling as HTMLElement | null)?.focus();
        else return;
        key.preventDefault();
      },
    });
  };

  const pages = (total: number): Node[] => {
    if (total <= kPage) return [];
    const turn = (by: number) => () => {
      first = Math.max(0, Math.min(total - 1, first + by));
      fill();
      update();
    };
    const earlier = button("Earlier", turn(-kPage), { disabled: first === 0 });
    const later = button("Later", turn(kPage), { disabled: first + kPage >= total });
    const here = make("span", { class: "soft" }, `${count(first + 1)} to ${count(Math.min(total, first + kPage))} of ${count(total)}`);
    return [earlier, later, here];
  };

  const update = (): void => {
    if (player.playing && performance.now() - followed < kPatience) return;
    const now = player.event;
    if (now === shown) return;
    followed = performance.now();
    if (now >= 0 && (now < first || now >= first + kPage)) {
      first = Math.floor(now / kPage) * kPage;
      fill();
    }
    const index = Math.max(0, now) - first;
    for (const element of body.querySelectorAll<HTMLElement>("tr[tabindex='0'], tr[aria-current]")) {
      element.tabIndex = -1;
      element.removeAttribute("aria-current");
    }
    const current = body.children[index] as HTMLElement | undefined;
    if (current) current.tabIndex = 0;
    if (current && now >= 0) {
      current.setAttribute("aria-current", "true");
      reveal(current);
    }
    const event = player.motion.events[now];
    detail.setAttribute("aria-live", player.playing ? "off" : "polite");
    detail.replaceChildren(...(event ? details(event, contacts) : []));
    shown = now;
  };

  player.onMotion(() => {
    first = 0;
    fill();
    update();
  });
  player.onMove(update);
  fill();
  update();

  const head = ["time (s)", "event", "contacts", "modes", "kinetic energy (J)"];
  if (player.motion.events.length === 0) return make("p", { class: "soft" }, "No events.");
  return make(
    "div",
    { class: "events" },
    make(
      "div",
      { class: "scroll" },
      make(
        "table",
        {},
        make("caption", { class: "unseen" }, "Events; Enter goes to one"),
        make("thead", {}, make("tr", {}, head.map((text, i) => make("th", { scope: "col", class: i === 0 || i === 4 ? "number" : undefined }, text)))),
        body,
      ),
    ),
    range,
    detail,
  );
}

function energyChange(event: ShownEvent): string {
  const before = number(event.energy_before);
  const after = number(event.energy_after);
  return before === after ? before : `${before} → ${after}`;
}

function details(event: ShownEvent, contacts: string[]): HTMLElement[] {
  const choice = choiceSentence(event, event.taken);
  const impulse = (values: number[] | undefined, name: string): string[] =>
    values === undefined ? [] : [`${name} impulse ${values.map((value, i) => `${contacts.length > 1 ? `${contacts[i]} ` : ""}${number(value)}`).join(", ")} N s`];
  const facts = [
    ...(event.law === undefined ? [] : [`law ${event.law}`]),
    ...impulse(event.impulse_n, "normal"),
    ...impulse(event.impulse_t, "tangential"),
    ...(event.exponent === undefined ? [] : [`the force grows without bound, like (t* − t) to the power ${number(event.exponent)}`]),
    ...(event.guards ?? []).map(({ type, contacts: of }) => `${kGuardWords[type] ?? type}${of.length > 0 ? ` of ${of.join(", ")}` : ""}`),
    ...(event.potential_energy === undefined ? [] : [`potential energy ${number(event.potential_energy)} J`]),
    ...(event.dissipated === undefined ? [] : [`dissipated so far ${number(event.dissipated)} J`]),
    ...(event.balance === undefined ? [] : [`work so far of loads ${number(event.balance.loads ?? 0)} J, of surfaces ${number(event.balance.surfaces ?? 0)} J`]),
    ...(event.impacts === undefined ? [] : [`${event.impacts} impacts seen one by one before infinitely many more`]),
  ];
  const parts: Child[] = [
    choice !== null && make("p", { class: "choice" }, choice),
    facts.length > 0 && make("p", { class: "small soft" }, `${facts.join("; ")}.`),
    ...(event.notes ?? []).map((note) => make("p", { class: "small soft" }, `Note: ${note}.`)),
  ];
  return parts.filter((part): part is HTMLElement => part instanceof HTMLElement);
}

/** The margins that end a mode. */
const kGuardWords: Record<string, string> = {
  gap: "zero gap",
  "normal-force": "zero normal force",
  "cone-plus": "edge of the friction cone",
  "cone-minus": "edge of the friction cone",
  slip: "zero slip",
  family: "border of the family of forces",
  exists: "ceases to exist",
  begins: "begins to exist",
  time: "a formula of time changes",
  minor: "zero minor of P",
  p: "p = 0",
};

/** Scrolls the table, never the page. */
function reveal(row: HTMLElement): void {
  const box = row.closest<HTMLElement>(".scroll");
  if (!box) return;
  const head = 30;
  const above = row.offsetTop - head - box.scrollTop;
  const below = row.offsetTop + row.offsetHeight - box.clientHeight - box.scrollTop;
  if (above < 0) box.scrollTop += above;
  else if (below > 0) box.scrollTop += below;
}
