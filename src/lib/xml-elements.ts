import { Parser } from 'htmlparser2'

/** An element with the texts of its child elements, by their names. */
export interface XmlElement {
  readonly name: string
  readonly texts: Readonly<Record<string, string>>
}

/** `cut_off`: an element does not end. `text`, `depth` and `entry`: over the limit. */
export type XmlFault = 'html_page' | 'doctype' | 'cut_off' | 'text' | 'depth' | 'entry'

export interface XmlRules {
  /** In characters: the limit of one text; all texts of an element may have twice as many. */
  readonly text: number
  readonly depth: number
  readonly entry: number
  /** Whether to return this element. The root has depth 1. */
  isElement(name: string, depth: number): boolean
  /** The error to throw for a fault; undefined to ignore it, for instance `cut_off`. */
  refuse(fault: XmlFault): Error | undefined
}

/** Accepts bare `&` and unknown elements. Refuses document types, so that nothing is expanded or fetched. */
export async function* xmlElements(
  pieces: AsyncIterable<string>,
  rules: XmlRules,
): AsyncGenerator<XmlElement> {
  const { parser, taken } = createXmlParser(rules)
  let size = 0
  for await (const text of pieces) {
    parser.write(text)
    size += text.length
    // The parser buffers a comment or an attribute until it ends.
    if (size - parser.endIndex > 2 * rules.text) throwFault(rules, 'text')
    yield* taken()
  }
  parser.end()
  yield* taken()
}

function createXmlParser(rules: XmlRules) {
  const elements: XmlElement[] = []
  let open: OpenElement | undefined
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag: (name) => {
        path.push(name)
        if (path.length === 1 && name.toLowerCase() === 'html') throwFault(rules, 'html_page')
        if (path.length > rules.depth) throwFault(rules, 'depth')
        if (rules.isElement(name, path.length)) open = { name, depth: path.length, texts: new Map(), size: 0 }
      },
      ontext: (text) => {
        const name = path.at(-1)
        if (open !== undefined && name !== undefined && path.length === open.depth + 1)
          addText(open, name, text, rules)
      },
      onclosetag: (_, isImplied) => {
        if (isImplied) throwFault(rules, 'cut_off')
        if (path.length === open?.depth) {
          elements.push({ name: open.name, texts: Object.fromEntries(open.texts) })
          open = undefined
        }
        path.pop()
      },
      onprocessinginstruction: (name, data) => {
        if (name.toLowerCase() === '!doctype')
          throwFault(rules, /^!doctype\s+html\b/i.test(data) ? 'html_page' : 'doctype')
      },
    },
    { xmlMode: true },
  )
  const taken = () => elements.splice(0)
  return { parser, taken }
}

interface OpenElement {
  readonly name: string
  readonly depth: number
  readonly texts: Map<string, string>
  /** In characters: all texts and their names. */
  size: number
}

function addText(element: OpenElement, name: string, text: string, rules: XmlRules): void {
  const known = element.texts.get(name)
  const whole = (known ?? '') + text
  element.size += text.length + (known === undefined ? name.length : 0)
  if (whole.length > rules.text || element.size > 2 * rules.text) throwFault(rules, 'text')
  element.texts.set(name, whole)
  if (element.texts.size > rules.entry) throwFault(rules, 'entry')
}

function throwFault({ refuse }: XmlRules, fault: XmlFault): void {
  const error = refuse(fault)
  if (error !== undefined) throw error
}
