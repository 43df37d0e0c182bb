/** Replaces with U+FFFD what XML 1.0 cannot carry (§2.2): most control characters and noncharacters. */
export const carried = (text: string): string =>
  text.replaceAll(/[^\t\n\r -~\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** A CDATA section for any text: `]]>` is split between two sections. */
export const cdata = (text: string): string =>
  `<![CDATA[${carried(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/**
 * Keeps spreadsheets from reading a text as a formula, also after white space, which some remove, and in full-width
 * letters, which Japanese ones take for the others. `unguarded` removes the `'` again.
 */
export const guarded = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell)

export const unguarded = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell

const isFormula = (cell: string) => /^'*(?:[\t\r\n]|[\s\u200B-\u200D\u2060]*[=+\-@＝＋－＠])/.test(cell)
