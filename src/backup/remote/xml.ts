import { parseXml, XmlElement } from '@rgrove/parse-xml'

export type Xml = XmlElement

/** The outermost element; undefined for what is not well-formed, such as most HTML. */
export function parseAnswer(bytes: Uint8Array): Xml | undefined {
  try {
    return parseXml(new TextDecoder().decode(bytes)).root ?? undefined
  } catch {
    return undefined
  }
}

export const elements = (xml: Xml, name: string): readonly Xml[] =>
  xml.children.filter((child) => child instanceof XmlElement).filter((child) => child.name === name)

/** Of the first such element; empty where there is none. */
export const textIn = (xml: Xml, name: string): string => elements(xml, name)[0]?.text ?? ''
