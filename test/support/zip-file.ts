import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Writes an archive of texts by their names. */
export async function writeZip(path: string, members: Readonly<Record<string, string>>): Promise<void> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(members)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}
