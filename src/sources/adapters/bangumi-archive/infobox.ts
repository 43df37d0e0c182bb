/**
 * The values in bangumi's wiki text by name: `|话数= 12` is one; `|别名={`, lines of `[…]` or `[name|…]`, and `}` are
 * several. Leaves out everything else.
 */
export function readInfobox(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  let list: string[] | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^\|([^=]*)=(.*)$/.exec(line) ?? []
    if (name !== '') list = open(values, name.trim(), value.trim())
    else if (line.trim() === '}') list = undefined
    else push(list, /^\s*\[(.*)\]\s*$/.exec(line)?.[1])
  }
  return values
}

/** The list that the following lines belong to. */
function open(values: Map<string, string[]>, name: string, value: string): string[] | undefined {
  const isList = value === '{'
  const list: string[] = isList || value === '' ? [] : [value]
  values.set(name, list)
  return isList ? list : undefined
}

function push(list: string[] | undefined, item: string | undefined): void {
  const value = item?.slice(item.indexOf('|') + 1).trim()
  if (value) list?.push(value)
}
