import { parseXml, XmlElement } from '@rgrove/parse-xml'

export type Xml = XmlElement

/** The root element; undefined if it is not well-formed, like most HTML. */
export function parseAnswer(bytes: Uint8Array): Xml | undefined {
  try {
    return parseXml(new TextDecoder().decode(bytes)).root ?? undefined
  } catch {
    return undefined
  }
}

export const elements = (xml: Xml, name: string): readonly Xml[] =>
  xml.children.filter((child) => child instanceof XmlElement).filter((child) => child.name === name)

/** Text of the first element with this name; empty if there is none. */
export const textIn = (xml: Xml, name: string): string => elements(xml, name)[0]?.text ?? ''
