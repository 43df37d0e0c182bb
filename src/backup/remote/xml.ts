import { type XmlElement, xmlElements } from '../../lib/xml-elements'

/** An answer of an S3 server: its root element with the texts of the children, and the children with those of theirs. */
export interface S3Document extends XmlElement {
  readonly children: readonly XmlElement[]
}

/** Undefined for what is no XML, such as most HTML, and for XML that no S3 server sends: with a document type, or nested deeply. */
export async function parseAnswer(bytes: Uint8Array): Promise<S3Document | undefined> {
  const text = new TextDecoder().decode(bytes)
  if (unknownEntity.test(text)) return undefined
  try {
    const [root, ...others] = await elementsAt(1, text)
    return root && others.length === 0 ? { ...root, children: await elementsAt(2, text) } : undefined
  } catch (cause) {
    if (cause instanceof NoAnswer) return undefined
    throw cause
  }
}

/** Without a document type, XML has these entities only (XML 1.0 §4.1). */
const unknownEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/

const elementsAt = (level: number, text: string): Promise<XmlElement[]> =>
  Array.fromAsync(
    xmlElements(once(text), {
      ...{ text: 1024 * 1024, depth: 8, entry: 100 },
      isElement: (_, depth) => depth === level,
      refuse: () => new NoAnswer(),
    }),
  )

class NoAnswer extends Error {}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** The texts of each child of the root with this name. */
export const entriesIn = (
  { children }: S3Document,
  name: string,
): readonly Readonly<Record<string, string>>[] =>
  children.filter((child) => child.name === name).map(({ texts }) => texts)
