/** Text in UTF-8, as it is sent. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const bytesOf = (text: string): Bytes => encoder.encode(text)

export const textOf = (bytes: Bytes): string => decoder.decode(bytes)

/** One after the other, in memory of their own. */
export const joined = (pieces: readonly Bytes[]): Bytes => Buffer.concat(pieces)

/** The pieces of several values with a comma between them. */
export const separated = (values: readonly (readonly Bytes[])[]): Bytes[] =>
  values.flatMap((pieces, at) => (at === 0 ? pieces : [comma, ...pieces]))

/** The pieces of an array of values. */
export const arrayOf = (values: readonly (readonly Bytes[])[]): Bytes[] => [open, ...separated(values), close]

const [open, comma, close] = [bytesOf('['), bytesOf(','), bytesOf(']')]
