import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** Writes an archive of texts by their names. */
export async function writeZip(path: string, members: Readonly<Record<string, string>>): Promise<void> {
  writeFileSync(path, await zipped(members))
}

/** An archive of texts by their names. */
export async function zipped(members: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(members)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return await buffer(zip.outputStream)
}
