export interface AtomElement {
  readonly tag: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly inside: readonly AtomElement[]
}

/** Read by expat, which refuses what is not well-formed. */
export async function parsed(xml: string): Promise<AtomElement> {
  const program = `
import json, sys, xml.etree.ElementTree as tree
def of(e): return {"tag": e.tag.replace("{http://www.w3.org/2005/Atom}", ""), "text": e.text or "", "attributes": e.attrib, "inside": [of(c) for c in e]}
print(json.dumps(of(tree.fromstring(sys.stdin.buffer.read()))))`
  const python = Bun.spawn(['python3', '-c', program], { stdin: new Blob([xml]), stdout: 'pipe' })
  return JSON.parse(await new Response(python.stdout).text())
}

export const textsOf = ({ inside }: AtomElement, tag: string) =>
  inside.filter((one) => one.tag === tag).map(({ text }) => text)
export const entriesOf = ({ inside }: AtomElement) => inside.filter(({ tag }) => tag === 'entry')
