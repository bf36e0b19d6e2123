// A drawing context that writes SVG: what draws the plane on a canvas draws the picture to save.

import type { Context2D } from "../lab.js";

/** What `save` keeps. */
interface Style {
  fillStyle: string | Gradient;
  strokeStyle: string | Gradient;
  lineWidth: number;
  lineCap: string;
  globalAlpha: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  dash: readonly number[];
  clipPath: string;
}

class Gradient {
  readonly stops: string[] = [];
  id = "";

  constructor(readonly ends: readonly number[]) {}

  addColorStop(offset: number, color: string): void {
    this.stops.push(`<stop offset="${number(offset)}" stop-color="${color}"/>`);
  }
}

const START: Style = {
  fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineCap: "butt", globalAlpha: 1, font: "10px sans-serif", textAlign: "start",
  textBaseline: "alphabetic", dash: [], clipPath: "",
};
const ANCHORS: Record<string, string> = { center: "middle", end: "end", right: "end" };

/** Has the part of a canvas context that the plane uses. */
class SvgContext implements Style {
  fillStyle = START.fillStyle;
  strokeStyle = START.strokeStyle;
  lineWidth = START.lineWidth;
  lineCap = START.lineCap;
  globalAlpha = START.globalAlpha;
  font = START.font;
  textAlign = START.textAlign;
  textBaseline = START.textBaseline;
  dash = START.dash;
  clipPath = START.clipPath;
  imageSmoothingEnabled = true;
  imageSmoothingQuality = "high";
  readonly elements: string[] = [];
  readonly definitions: string[] = [];
  private path = "";
  private readonly saved: Style[] = [];

  /** `measuring` is a real context, which knows the widths of texts. */
  constructor(private readonly measuring: Context2D) {}

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, lineCap, globalAlpha, font, textAlign, textBaseline, dash, clipPath } = this;
    this.saved.push({ fillStyle, strokeStyle, lineWidth, lineCap, globalAlpha, font, textAlign, textBaseline, dash, clipPath });
  }

  restore(): void {
    Object.assign(this, this.saved.pop());
  }

  setLineDash(dash: readonly number[]): void {
    this.dash = dash;
  }

  measureText(text: string): TextMetrics {
    this.measuring.font = this.font;
    return this.measuring.measureText(text);
  }

  // Paths.

  beginPath(): void {
    this.path = "";
  }

  moveTo(x: number, y: number): void {
    this.path += `M${number(x)} ${number(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `${this.path === "" ? "M" : "L"}${number(x)} ${number(y)}`;
  }

  closePath(): void {
    this.path += "Z";
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path += `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}Z`;
  }

  roundRect(x: number, y: number, width: number, height: number, r: number): void {
    const corner = (dx: number, dy: number): string => `a${r} ${r} 0 0 1 ${number(dx)} ${number(dy)}`;
    this.path += `M${number(x + r)} ${number(y)}h${number(width - 2 * r)}${corner(r, r)}v${number(height - 2 * r)}${corner(-r, r)}`
      + `h${number(2 * r - width)}${corner(-r, -r)}v${number(2 * r - height)}${corner(r, -r)}Z`;
  }

  /** Only whole circles occur. */
  arc(x: number, y: number, r: number): void {
    this.ellipse(x, y, r, r);
  }

  ellipse(x: number, y: number, rx: number, ry: number): void {
    const half = (way: number): string => `a${number(rx)} ${number(ry)} 0 0 1 ${number(way * 2 * rx)} 0`;
    this.path += `M${number(x - rx)} ${number(y)}${half(1)}${half(-1)}Z`;
  }

  // Drawing.

  fill(rule = "nonzero"): void {
    this.add("path", `d="${this.path}" fill="${this.paint(this.fillStyle)}" fill-rule="${rule}"`);
  }

  stroke(): void {
    const { dash, lineCap } = this;
    this.add("path", `d="${this.path}" fill="none" stroke="${this.paint(this.strokeStyle)}" stroke-width="${number(this.lineWidth)}"`
      + (dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "") + (lineCap === "butt" ? "" : ` stroke-linecap="${lineCap}"`));
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.add("rect", `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${this.paint(this.fillStyle)}"`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  clearRect(): void {}

  fillText(text: string, x: number, y: number): void {
    this.add("text", `x="${number(x)}" y="${number(y)}" ${fontAttributes(this.font)} fill="${this.paint(this.fillStyle)}"`
      + ` text-anchor="${ANCHORS[this.textAlign] ?? "start"}"${this.textBaseline === "middle" ? ' dominant-baseline="central"' : ""}`, escaped(text));
  }

  drawImage(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void {
    this.add("image", `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" preserveAspectRatio="none" href="${image.toDataURL()}"`);
  }

  createLinearGradient(x1: number, y1: number, x2: number, y2: number): Gradient {
    return new Gradient([x1, y1, x2, y2]);
  }

  private add(tag: string, attributes: string, content?: string): void {
    const opacity = this.globalAlpha === 1 ? "" : ` opacity="${number(this.globalAlpha)}"`;
    const clip = this.clipPath === "" ? "" : ` clip-path="url(#${this.clipPath})"`;
    this.elements.push(content === undefined ? `<${tag} ${attributes}${opacity}${clip}/>` : `<${tag} ${attributes}${opacity}${clip}>${content}</${tag}>`);
  }

  private paint(style: string | Gradient): string {
    if (typeof style === "string") return escaped(style);
    if (style.id === "") {
      style.id = `field-${this.definitions.length}`;
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = style.ends;
      this.definitions.push(`<linearGradient id="${style.id}" gradientUnits="userSpaceOnUse" x1="${number(x1)}" y1="${number(y1)}"`
        + ` x2="${number(x2)}" y2="${number(y2)}">${style.stops.join("")}</linearGradient>`);
    }
    return `url(#${style.id})`;
  }

  /** Restricts what follows to the path, until `restore`. */
  clip(): void {
    this.clipPath = `clip-${this.definitions.length}`;
    this.definitions.push(`<clipPath id="${this.clipPath}"><path d="${this.path}"/></clipPath>`);
  }
}

/** Returns what `draw` draws as an SVG file of this size. */
export function svgFile(width: number, height: number, measuring: Context2D, draw: (context: Context2D) => void): string {
  const context = new SvgContext(measuring);
  draw(context as unknown as Context2D);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n<defs>${context.definitions.join("")}</defs>\n${context.elements.join("\n")}\n</svg>\n`;
}

/** The parts of a CSS font such as `italic 18px Charter, serif`. */
function fontAttributes(font: string): string {
  const [, style = "", size = "", family = ""] = /^(.*?)\s*([\d.]+px) (.*)$/.exec(font) ?? [];
  const kind = style === "" ? "" : style === "italic" ? ' font-style="italic"' : ` font-weight="${style}"`;
  return `font-family="${escaped(family)}" font-size="${size}"${kind}`;
}

const number = (value: number): string => String(Number(value.toFixed(2)));
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
