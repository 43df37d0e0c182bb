import type { InputFile } from './input-file'
import { RefusedFile } from './refused-file'

/** The same file, unless it is in UTF-16. */
export async function inUtf8(file: InputFile): Promise<InputFile> {
  for await (const piece of file.bytes()) {
    if (markedEncoding(piece) === undefined) return file
    const encoder = new TextEncoder()
    const bytes = async function* () {
      for await (const text of textOf(file)) yield encoder.encode(text)
    }
    return { name: file.name, bytes }
  }
  return file
}

/**
 * The text of a file in pieces. Honours a byte order mark (UTF-8, UTF-16); otherwise decodes UTF-8, with U+FFFD for
 * invalid bytes, or the legacy encoding found by `encodingOf`. Throws a `RefusedFile` for NUL.
 */
export async function* textOf(file: InputFile, encoding: TextEncoding = 'utf-8'): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of file.bytes()) {
    decoder ??= new TextDecoder(markedEncoding(chunk) ?? encoding)
    const text = decoder.decode(chunk, { stream: true })
    if (text.includes('\0')) throw new RefusedFile('unreadable_text')
    yield text
  }
  yield decoder?.decode() ?? ''
}

function markedEncoding([first, second]: Uint8Array): TextEncoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

export type TextEncoding = 'utf-8' | 'shift_jis' | 'gb18030' | 'utf-16le' | 'utf-16be'

const candidates = ['utf-8', 'shift_jis', 'gb18030'] as const

/** The first encoding in which all of the file is valid; UTF-8 if there is none. */
export async function encodingOf(file: InputFile): Promise<TextEncoding> {
  for (const encoding of candidates) if (await isValid(file, encoding)) return encoding
  return 'utf-8'
}

async function isValid(file: InputFile, encoding: TextEncoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of file.bytes()) {
      if (markedEncoding(chunk) !== undefined) return true
      decoder.decode(chunk, { stream: true })
    }
    decoder.decode()
    return true
  } catch (cause) {
    if (cause instanceof RefusedFile) throw cause
    return false
  }
}
