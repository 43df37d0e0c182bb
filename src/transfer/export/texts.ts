/** Replaces with U+FFFD what XML 1.0 cannot carry (§2.2): most control characters and noncharacters. */
export const carried = (text: string): string =>
  text.replaceAll(/[^\t\n\r -~\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** A CDATA section for any text: `]]>` is split between two sections. */
export const cdata = (text: string): string =>
  `<![CDATA[${carried(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** Keeps spreadsheets from reading a text as a formula. `unguarded` removes the `'` again. */
export const guarded = (cell: string): string => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

export const unguarded = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
