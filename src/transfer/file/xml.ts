import { Parser } from 'htmlparser2'
import type { InputFile } from './input-file'
import { limits } from './limits'
import { RefusedFile } from './refused-file'
import { textOf } from './text'

/** An element with the texts of the elements in it, by their names. */
export interface XmlElement {
  readonly name: string
  readonly texts: Readonly<Record<string, string>>
}

/**
 * The elements below the root, one at a time. Lenient: bare `&`, unknown elements and a missing end are read. Throws a
 * `RefusedFile` for a document type (nothing is expanded or fetched) and for HTML.
 */
export async function* xmlElements(file: InputFile): AsyncGenerator<XmlElement> {
  const { parser, taken } = createXmlParser()
  let size = 0
  for await (const text of textOf(file)) {
    parser.write(text)
    size += text.length
    // A comment or an attribute that does not end is kept by the parser until it does.
    if (size - parser.endIndex > 2 * limits.text) throw new RefusedFile('too_large', 'text')
    yield* taken()
  }
  parser.end()
  yield* taken()
}

function createXmlParser() {
  const elements: XmlElement[] = []
  let open: OpenElement | undefined
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag: (name) => {
        path.push(name)
        if (path.length === 1 && name.toLowerCase() === 'html') throw new RefusedFile('html_page')
        if (path.length > limits.jsonDepth) throw new RefusedFile('unrecognised', 'jsonDepth')
        if (path.length === 2) open = { name, texts: new Map(), size: 0 }
      },
      ontext: (text) => {
        const name = path[2]
        if (open !== undefined && name !== undefined && path.length === 3) addText(open, name, text)
      },
      onclosetag: () => {
        if (path.length === 2 && open !== undefined)
          elements.push({ name: open.name, texts: Object.fromEntries(open.texts) })
        path.pop()
      },
      onprocessinginstruction: refuseDocumentType,
    },
    { xmlMode: true },
  )
  const taken = () => elements.splice(0)
  return { parser, taken }
}

interface OpenElement {
  readonly name: string
  readonly texts: Map<string, string>
  /** Characters of all texts and their names. */
  size: number
}

function addText(element: OpenElement, name: string, text: string): void {
  const known = element.texts.get(name)
  const whole = (known ?? '') + text
  element.size += text.length + (known === undefined ? name.length : 0)
  if (whole.length > limits.text || element.size > 2 * limits.text) throw new RefusedFile('too_large', 'text')
  element.texts.set(name, whole)
  if (element.texts.size > limits.entry) throw new RefusedFile('too_large', 'entry')
}

function refuseDocumentType(name: string, data: string): void {
  if (name.toLowerCase() !== '!doctype') return
  throw new RefusedFile(/^!doctype\s+html\b/i.test(data) ? 'html_page' : 'doctype')
}
