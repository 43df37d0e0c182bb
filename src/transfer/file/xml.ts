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
  let elements: XmlElement[] = []
  let open: { name: string; texts: Record<string, string> } | undefined
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag: (name) => {
        path.push(name)
        if (path.length === 1 && name.toLowerCase() === 'html') throw new RefusedFile('html_page')
        if (path.length > limits.jsonDepth) throw new RefusedFile('unrecognised', 'nested more than 64 deep')
        if (path.length === 2) open = { name, texts: {} }
      },
      ontext: (text) => {
        const name = path[2]
        if (open === undefined || name === undefined || path.length !== 3) return
        const whole = (open.texts[name] ?? '') + text
        if (whole.length > limits.text) throw new RefusedFile('too_large', 'a text of more than 1 MiB')
        open.texts[name] = whole
      },
      onclosetag: () => {
        if (path.length === 2 && open !== undefined) elements.push(open)
        path.pop()
      },
      onprocessinginstruction: (name, data) => {
        if (name.toLowerCase() !== '!doctype') return
        throw new RefusedFile(/^!doctype\s+html\b/i.test(data) ? 'html_page' : 'doctype')
      },
    },
    { xmlMode: true },
  )
  for await (const text of textOf(file)) {
    parser.write(text)
    yield* elements
    elements = []
  }
  parser.end()
  yield* elements
}
