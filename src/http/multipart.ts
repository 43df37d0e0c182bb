import { type Bytes, bytesOf } from './bytes'
import { invalidParams } from './errors'

/** Files have the value undefined. Throws invalid_params. */
export async function multipartFields(
  bytes: Bytes,
  contentType: string,
): Promise<(readonly [name: string, value: string | undefined])[]> {
  const mark = replaceByteOrderMarks(bytes)
  const form = await parse(mark?.bytes ?? bytes, contentType)
  const restored = (text: string) =>
    mark === undefined ? text : text.replaceAll(mark.placeholder, byteOrderMark)
  return [...form.entries()].map(([name, value]) => [
    restored(name),
    typeof value === 'string' ? restored(value) : undefined,
  ])
}

const byteOrderMark = '\ufeff'

/** Bun drops U+FEFF at the start of a value, so a unique placeholder replaces it while Bun parses. */
function replaceByteOrderMarks(bytes: Bytes): { bytes: Bytes; placeholder: string } | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.includes(byteOrderMark)) return undefined
  // `TextDecoder` would drop the first U+FEFF.
  const text = buffer.toString()
  let number = 0
  // A placeholder cannot overlap itself, so inserting it creates no other occurrence.
  const placeholder = () => `\ue000${number}\ue001`
  while (text.includes(placeholder())) number += 1
  return { bytes: bytesOf(text.replaceAll(byteOrderMark, placeholder())), placeholder: placeholder() }
}

/** Fields and files of a form that accepts files. U+FFFD replaces what is not UTF-8. Throws invalid_params. */
export async function multipartWithFiles(
  bytes: Bytes,
  contentType: string,
): Promise<(readonly [name: string, value: string | Bytes])[]> {
  const form = await parse(bytes, contentType)
  return await Promise.all(
    [...form.entries()].map(
      async ([name, value]) => [name, typeof value === 'string' ? value : await value.bytes()] as const,
    ),
  )
}

const parse = (bytes: Bytes, contentType: string) =>
  new Response(bytes, { headers: { 'Content-Type': contentType } }).formData().catch(() => {
    throw invalidParams('The multipart body is malformed.')
  })
