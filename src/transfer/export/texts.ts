/** Replaces control characters, of which XML 1.0 carries but a few (§2.2), and what is no character with U+FFFD. */
export const carried = (text: string): string =>
  text.replaceAll(/[^\t\n\r -~\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** A section that holds any text: `]]>` is split between two. */
export const cdata = (text: string): string =>
  `<![CDATA[${carried(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** Keeps a spreadsheet from taking a text for a formula. `unguarded` takes the `'` off again. */
export const guarded = (cell: string): string => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

export const unguarded = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
