/** The panel: widgets that move a live model. Values on the wire are SI; angles are shown in degrees. */

import { button, digits, element, setPressed } from "./dom";

export interface Widget {
  id: string;
  kind: "slider" | "button" | "toggle" | "choice" | "number" | "text";
  label: string;
  unit?: string;
  low?: number;
  high?: number;
  step?: number;
  value?: number | boolean | string;
  scale?: "linear" | "log";
  options?: string[];
}

export interface WidgetGroup {
  title: string;
  widgets: Widget[];
}

type Value = number | boolean | string;
type Show = (value: Value) => void;

const DEGREE = Math.PI / 180;

/** How many SI units one unit on the screen is, and how it is written. */
function unitOf({ unit = "" }: Widget): { factor: number; text: string } {
  if (unit === "rad" || unit.startsWith("rad/"))
    return { factor: DEGREE, text: unit.replace("rad", "°").replace(/([a-z])2$/, "$1²") };
  return { factor: 1, text: unit === "1" ? "" : unit.replaceAll(".", "·") };
}

export class Panel {
  readonly root = element("section", { class: "panel" });
  onSet: (id: string, value: Value) => void = () => {};
  onPress: (id: string) => void = () => {};
  private shows = new Map<string, Show>();

  get count(): number {
    return this.shows.size;
  }

  setGroups(groups: WidgetGroup[]): void {
    this.shows.clear();
    this.root.replaceChildren(
      ...groups.map(({ title, widgets }) =>
        element(
          "details",
          { open: "" },
          element("summary", {}, title),
          ...widgets.map((widget) => this.make(widget)),
        ),
      ),
    );
    this.root.hidden = groups.length === 0;
  }

  /** Values in force: those that another client, or the model, has set, or that are kept. */
  setValues(values: Record<string, Value | null>): void {
    for (const [id, value] of Object.entries(values))
      if (value !== null) this.shows.get(id)?.(value);
  }

  private make(widget: Widget): HTMLElement {
    const made = this.makers[widget.kind]?.(widget) ?? element("span", {}, widget.label);
    made.dataset.id = widget.id;
    made.classList.add("widget");
    return made;
  }

  private readonly makers: Record<Widget["kind"], (widget: Widget) => HTMLElement> = {
    slider: (widget) => this.slider(widget),
    number: (widget) => this.number(widget),
    button: ({ id, label }) => {
      this.shows.set(id, () => {});
      return button(label, label, () => this.onPress(id), "wide");
    },
    toggle: (widget) => this.toggle(widget),
    choice: (widget) => this.choice(widget),
    text: ({ id, label, value }) => {
      const output = element("output", {}, String(value ?? ""));
      this.shows.set(id, (v) => (output.textContent = String(v)));
      return element("label", {}, element("span", {}, label), output);
    },
  };

  private slider(widget: Widget): HTMLElement {
    const { id, label, low = 0, high = 1, scale } = widget;
    const { factor, text } = unitOf(widget);
    const log = scale === "log" && low > 0;
    const inner = (value: number): number => (log ? Math.log(value) : value / factor);
    const outer = (value: number): number => (log ? Math.exp(value) : value * factor);
    const step = widget.step && !log ? String(widget.step / factor) : "any";
    const range = element("input", {
      type: "range",
      min: String(inner(low)),
      max: String(inner(high)),
      step,
      "aria-label": label,
    });
    const field = element("input", {
      type: "number",
      step: "any",
      "aria-label": `${label}, value`,
    });
    let now: Value = widget.value ?? low;
    const show: Show = (value) => {
      now = value;
      range.value = String(inner(Number(value)));
      const none = Math.abs(Number(value)) < 1e-12 * Math.max(Math.abs(low), Math.abs(high));
      const seen = none ? "0" : digits(Number(value) / factor, 5).replaceAll("−", "-");
      field.value = String(Number(seen));
    };
    range.addEventListener("input", () => {
      const value = outer(Number(range.value));
      field.value = String(Number((value / factor).toPrecision(5)));
      this.onSet(id, value);
    });
    field.addEventListener("change", () => {
      if (!Number.isFinite(field.valueAsNumber)) return show(now);
      const value = field.valueAsNumber * factor;
      range.value = String(inner(value));
      this.onSet(id, value);
    });
    this.shows.set(id, show);
    show(now);
    const head = element("span", {}, label);
    return element("label", { class: "slider" }, head, field, element("i", {}, text), range);
  }

  private number(widget: Widget): HTMLElement {
    const { id, label } = widget;
    const { factor, text } = unitOf(widget);
    const field = element("input", { type: "number", step: "any", "aria-label": label });
    let now: Value = widget.value ?? 0;
    const show: Show = (value) => {
      now = value;
      field.value = String(Number((Number(value) / factor).toPrecision(7)));
    };
    field.addEventListener("change", () => {
      if (Number.isFinite(field.valueAsNumber)) this.onSet(id, field.valueAsNumber * factor);
      else show(now);
    });
    this.shows.set(id, show);
    show(now);
    return element("label", {}, element("span", {}, label), field, element("i", {}, text));
  }

  private toggle({ id, label, value }: Widget): HTMLElement {
    let on = Boolean(value);
    const made = button(
      label,
      label,
      () => {
        on = !on;
        setPressed(made, on);
        this.onSet(id, on);
      },
      "wide",
    );
    this.shows.set(id, (v) => {
      on = Boolean(v);
      setPressed(made, on);
    });
    setPressed(made, on);
    return made;
  }

  private choice({ id, label, options = [], value }: Widget): HTMLElement {
    const select = element("select", { "aria-label": label });
    for (const option of options) select.append(element("option", { value: option }, option));
    if (value !== undefined) select.value = String(value);
    select.addEventListener("change", () => this.onSet(id, select.value));
    this.shows.set(id, (v) => (select.value = String(v)));
    return element("label", {}, element("span", {}, label), select);
  }
}
