// Elements made in one line. Text is always inserted as text, so HTML in a name is shown and not interpreted.

export type Child = Node | string | number | null | undefined | false | Child[];
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
export type Attributes = Record<string, string | number | boolean | undefined> & { on?: never };

/** An element with attributes (true: present, false or undefined: absent) and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** The same for SVG. */
export function makeSvg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** Adds listeners and gives the element back. */
export function on<E extends HTMLElement>(element: E, handlers: Handlers): E {
  for (const [name, handler] of Object.entries(handlers)) element.addEventListener(name, handler as EventListener);
  return element;
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.append(child instanceof Node ? child : String(child));
  }
}

/** A button with a label for screen readers; `face` is what is seen, if that is not the label. */
export function button(label: string, action: () => void, attributes: Attributes & { face?: string } = {}): HTMLButtonElement {
  const { face, ...rest } = attributes;
  const named: Attributes = face === undefined ? {} : { "aria-label": label, title: label };
  return on(make("button", { type: "button", ...named, ...rest }, face ?? label), { click: action });
}

/** A labelled drop-down; `choices` are [value, text]. */
export function select(
  label: string,
  choices: [value: string, text: string][],
  chosen: string,
  action: (value: string) => void,
): HTMLLabelElement {
  const list = make("select", {}, choices.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  on(list, { change: () => action(list.value) });
  return make("label", { class: "field" }, make("span", {}, label), list);
}

/** A labelled check box. */
export function toggle(label: string, checked: boolean, action: (checked: boolean) => void): HTMLLabelElement {
  const box = make("input", { type: "checkbox", checked });
  on(box, { change: () => action(box.checked) });
  return make("label", { class: "toggle" }, box, make("span", {}, label));
}

/** A table; `numeric` names the columns aligned as numbers. */
export function table(caption: string, head: string[], rows: Child[][], numeric: number[] = []): HTMLElement {
  const cell = (tag: "th" | "td", child: Child, i: number): HTMLElement =>
    make(tag, { class: numeric.includes(i) ? "number" : undefined, scope: tag === "th" ? "col" : undefined }, child);
  return make(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    make(
      "table",
      {},
      make("caption", { class: "unseen" }, caption),
      make("thead", {}, make("tr", {}, head.map((text, i) => cell("th", text, i)))),
      make("tbody", {}, rows.map((row) => make("tr", {}, row.map((child, i) => cell("td", child, i))))),
    ),
  );
}

/** A section of the page with its heading. */
export function section(heading: string, ...children: Child[]): HTMLElement {
  return make("section", { class: "panel" }, make("h2", {}, heading), ...children);
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}
