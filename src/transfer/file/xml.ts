import { xmlElements as elementsOf, type XmlElement, type XmlFault } from '../../lib/xml-elements'
import type { InputFile } from './input-file'
import { limits } from './limits'
import { RefusedFile } from './refused-file'
import { textOf } from './text'

/** The elements below the root; tolerates a missing end. Throws a `RefusedFile` for a document type and for HTML. */
export const xmlElements = (file: InputFile): AsyncGenerator<XmlElement> =>
  elementsOf(textOf(file), {
    text: limits.text,
    depth: limits.jsonDepth,
    entry: limits.entry,
    isElement: (_, depth) => depth === 2,
    refuse: (fault) => (fault === 'cut_off' ? undefined : new RefusedFile(...refusals[fault])),
  })

const refusals: Readonly<Record<Exclude<XmlFault, 'cut_off'>, ConstructorParameters<typeof RefusedFile>>> = {
  html_page: ['html_page'],
  doctype: ['doctype'],
  text: ['too_large', 'text'],
  depth: ['unrecognised', 'jsonDepth'],
  entry: ['too_large', 'entry'],
}
