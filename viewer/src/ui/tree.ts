// The tree of the model, with search.

import type { Command } from "../connection";
import type { Model } from "../protocol";
import { h } from "./dom";
import { JOINTS, SHAPES, named } from "./names";

interface Leaf { kind: string; name: string; detail: string }

export class Tree {
  readonly element: HTMLElement;
  private readonly list = h("div", { className: "tree" });
  private rows: { body: number; row: HTMLElement; text: string; parent: number }[] = [];
  private selected = -1;
  private leaves: { body: number; row: HTMLElement; text: string }[] = [];

  constructor(private readonly send: (command: Command) => void) {
    const search = h("input", { type: "search", placeholder: "Search bodies, joints, geoms…", "aria-label": "Search the model",
      oninput: () => this.filter(search.value.toLowerCase()), onkeydown: (e: KeyboardEvent) => e.stopPropagation() });
    this.element = h("div", {}, search, this.list);
  }

  setModel(model: Model) {
    const leaves: Leaf[][] = model.bodies.map(() => []);
    model.joints.forEach((j, i) => leaves[j.body].push({ kind: "joint", name: named(j.name, "joint", i), detail: JOINTS[j.type] }));
    model.tree.geoms.forEach(([body, name], i) => leaves[body].push({ kind: "geom", name: named(name, "geom", i), detail: SHAPES[model.tree.geomtypes[i]] ?? "" }));
    for (const kind of ["sites", "cameras", "lights"] as const) {
      const one = kind.slice(0, -1);
      model.tree[kind].forEach(([body, name], i) => leaves[body].push({ kind: one, name: named(name, one, i), detail: "" }));
    }
    this.rows = [];
    this.leaves = [];
    this.selected = -1;
    const depth: number[] = [];
    const children: number[][] = model.bodies.map(() => []);
    model.bodies.forEach((b, i) => i > 0 && children[b.parent].push(i));
    const order: number[] = [];
    const visit = (body: number, level: number) => {
      depth[body] = level;
      order.push(body);
      children[body].forEach((child) => visit(child, level + 1));
    };
    visit(0, 0);
    const elements = order.flatMap((body) => this.bodyRows(model, body, depth[body], leaves[body]));
    this.list.replaceChildren(...elements);
  }

  private bodyRows(model: Model, body: number, depth: number, leaves: Leaf[]): HTMLElement[] {
    const { name, mass, parent } = model.bodies[body];
    const label = body === 0 ? "world" : named(name, "body", body);
    const indent = `--depth: ${Math.min(depth, 12)}`;
    const row = h("button", { type: "button", className: "node", style: indent, title: "Select",
      onclick: () => this.send({ do: "select_body", body }) },
      h("b", {}, label), h("i", {}, mass > 0 ? `${mass.toPrecision(3)} kg` : ""));
    this.rows.push({ body, row, text: label.toLowerCase(), parent });
    const inner = leaves.map((leaf) => {
      const element = h("div", { className: "leaf", style: indent, hidden: true }, h("span", { className: leaf.kind }, leaf.kind), leaf.name, h("i", {}, leaf.detail));
      this.leaves.push({ body, row: element, text: `${leaf.name} ${leaf.kind} ${leaf.detail}`.toLowerCase() });
      return element;
    });
    const unfold = h("button", { type: "button", className: "unfold", "aria-label": `Show what belongs to ${label}`,
      onclick: (event: Event) => {
        event.stopPropagation();
        inner.forEach((element) => (element.hidden = !element.hidden));
      } }, String(leaves.length));
    if (leaves.length) row.append(unfold);
    return [row, ...inner];
  }

  private filter(text: string) {
    const found = new Set<number>();
    for (const leaf of this.leaves) {
      leaf.row.hidden = !text || !leaf.text.includes(text);
      if (!leaf.row.hidden) found.add(leaf.body);
    }
    for (const { row, text: own, body } of this.rows) row.hidden = !!text && !own.includes(text) && !found.has(body);
  }

  select(body: number) {
    if (body === this.selected) return;
    this.selected = body;
    for (const { body: own, row } of this.rows) row.classList.toggle("selected", own === body && body > 0);
  }
}
