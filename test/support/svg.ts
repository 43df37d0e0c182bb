/** A line of text in an SVG: where it begins, in units of the view box, and its font size. */
export interface SvgText {
  readonly text: string
  readonly x: number
  readonly y: number
  /** Of each UTF-16 unit; only the first one's unless each letter has its own place. */
  readonly tops: readonly number[]
  readonly size: number
  readonly isVertical: boolean
  readonly isCentred: boolean
  /** Ids of the groups around it. */
  readonly groups: readonly string[]
}

type Attributes = Readonly<Record<string, string>>

/** Parses SVG strictly, as XML without custom entities. Throws if it is not well-formed. */
export function readSvg(svg: string): SvgText[] {
  if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(svg))
    throw new Error('not XML text')
  const texts: SvgText[] = []
  const open: { name: string; attributes: Attributes }[] = []
  const token = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<&]*")*)(\/?)>|((?:[^<&>]|&(?:amp|lt|gt);)+)/gy
  while (token.lastIndex < svg.length) {
    const at = token.lastIndex
    const [whole, close, name = '', given = '', empty, text] = token.exec(svg) ?? []
    if (whole === undefined) throw new Error(`not well-formed at ${svg.slice(at, at + 40)}`)
    if (text !== undefined) texts.push(...textIn(open, text))
    else if (close === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes something else`)
    } else if (empty === '') open.push({ name, attributes: attributesOf(given) })
  }
  if (open.length > 0) throw new Error(`${open.at(-1)?.name} is not closed`)
  return texts
}

function textIn(open: readonly { name: string; attributes: Attributes }[], raw: string): SvgText[] {
  if (open.at(-1)?.name !== 'text') return []
  const inherited: Attributes = Object.assign({}, ...open.map(({ attributes }) => attributes))
  const text = raw.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const number = (name: string) => Number(inherited[name])
  const tops = (inherited.y ?? '').split(' ').map(Number)
  return [
    {
      text,
      x: number('x'),
      y: tops[0] ?? Number.NaN,
      tops,
      size: number('font-size'),
      isVertical: inherited['writing-mode'] === 'vertical-rl',
      isCentred: inherited['text-anchor'] === 'middle',
      groups: open.flatMap(({ name, attributes }) => (name === 'g' ? (attributes.id ?? []) : [])),
    },
  ]
}

const attributesOf = (given: string): Attributes =>
  Object.fromEntries(
    [...given.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
