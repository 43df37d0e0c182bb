/** UTF-8 text. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const bytesOf = (text: string): Bytes => encoder.encode(text)

export const textOf = (bytes: Bytes): string => decoder.decode(bytes)

export const joined = (pieces: readonly Bytes[]): Bytes => Buffer.concat(pieces)

export const separated = (values: readonly (readonly Bytes[])[]): Bytes[] =>
  values.flatMap((pieces, at) => (at === 0 ? pieces : [comma, ...pieces]))

export const arrayOf = (values: readonly (readonly Bytes[])[]): Bytes[] => [open, ...separated(values), close]

const [open, comma, close] = [bytesOf('['), bytesOf(','), bytesOf(']')]
