export class Markup {
  constructor(readonly text: string) {}
}

type Piece = string | number | Markup | readonly Markup[]

/** Escapes everything except `Markup`. Quote every attribute. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const text = parts.map((part, index) => part + (index < pieces.length ? escaped(pieces[index] ?? '') : ''))
  return new Markup(text.join(''))
}

function escaped(piece: Piece): string {
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'object') return piece.map((markup) => markup.text).join('')
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
