/** A type and the number of one of its rows. */
export interface GlobalId {
  readonly type: string
  readonly number: number
}

/** Base64 of `Type-number`, with padding. */
export const toGlobalId = (type: string, number: number): string => btoa(`${type}-${number}`)

/** Undefined for any other text. */
export function fromGlobalId(id: string): GlobalId | undefined {
  if (id.length > longest) return undefined
  const [, type, digits] = /^([A-Za-z]+)-([0-9]{1,15})$/.exec(Buffer.from(id, 'base64').toString()) ?? []
  return type === undefined ? undefined : { type, number: Number(digits) }
}

const longest = 100
