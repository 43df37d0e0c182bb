import { type Bytes, bytesOf } from './bytes'
import { invalidParams } from './errors'

/** The fields of a multipart form in UTF-8, in their order; a file's value is undefined. Throws invalid_params. */
export async function multipartFields(
  bytes: Bytes,
  contentType: string,
): Promise<(readonly [name: string, value: string | undefined])[]> {
  const mark = replaceByteOrderMarks(bytes)
  const form = await new Response(mark?.bytes ?? bytes, { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => {
      throw invalidParams('The multipart body is malformed.')
    })
  const restored = (text: string) =>
    mark === undefined ? text : text.replaceAll(mark.placeholder, byteOrderMark)
  return [...form.entries()].map(([name, value]) => [
    restored(name),
    typeof value === 'string' ? restored(value) : undefined,
  ])
}

const byteOrderMark = '\ufeff'

/**
 * Bun drops U+FEFF from the beginning of a value, which is the client's text: a placeholder that occurs nowhere else
 * stands in for it while Bun parses. Undefined where there is none.
 */
function replaceByteOrderMarks(bytes: Bytes): { bytes: Bytes; placeholder: string } | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.includes(byteOrderMark)) return undefined
  // A TextDecoder would drop the first one.
  const text = buffer.toString()
  let number = 0
  // It does not overlap with itself, so putting it in makes no other occurrence.
  const placeholder = () => `\ue000${number}\ue001`
  while (text.includes(placeholder())) number += 1
  return { bytes: bytesOf(text.replaceAll(byteOrderMark, placeholder())), placeholder: placeholder() }
}
