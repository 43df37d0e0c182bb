/** The parts of a 64-bit little-endian ELF file that are needed here; names and numbers as in `elf(5)`. */
export interface Elf {
  readonly view: DataView
  readonly segments: readonly Segment[]
  readonly sections: readonly Section[]
}

/** Offsets and sizes in bytes. */
export interface Segment {
  /** Position of its header in the file. */
  readonly at: number
  readonly type: number
  readonly flags: number
  readonly offset: number
  readonly address: number
  readonly fileSize: number
  readonly memorySize: number
  readonly align: number
}

export interface Section {
  readonly at: number
  readonly type: number
  readonly flags: number
  readonly address: number
  readonly offset: number
  readonly size: number
}

export const PT_LOAD = 1
export const PT_NOTE = 4
export const SHT_PROGBITS = 1
export const SHT_NOBITS = 8
export const SHF_TLS = 0x400

/** Undefined for a file of another format. */
export function readElf(bytes: Uint8Array): Elf | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) !== 0x7f454c46 || view.getUint16(4) !== 0x0201) return undefined
  const table = <T>(offset: number, size: number, count: number, read: (view: DataView, at: number) => T) =>
    Array.from({ length: count }, (_, index) => read(view, offset + index * size))
  return {
    view,
    segments: table(getLong(view, 0x20), 56, view.getUint16(0x38, true), readSegment),
    sections: table(getLong(view, sectionsField), 64, view.getUint16(0x3c, true), readSection),
  }
}

const readSegment = (view: DataView, at: number): Segment => ({
  at,
  type: view.getUint32(at, true),
  flags: view.getUint32(at + 4, true),
  offset: getLong(view, at + 8),
  address: getLong(view, at + 16),
  fileSize: getLong(view, at + 32),
  memorySize: getLong(view, at + 40),
  align: getLong(view, at + 48),
})

const readSection = (view: DataView, at: number): Section => ({
  at,
  type: view.getUint32(at + 4, true),
  flags: getLong(view, at + 8),
  address: getLong(view, at + 16),
  offset: getLong(view, at + 24),
  size: getLong(view, at + 32),
})

export function writeSegment(view: DataView, segment: Segment): void {
  const { at, address } = segment
  view.setUint32(at, segment.type, true)
  view.setUint32(at + 4, segment.flags, true)
  const longs = [segment.offset, address, address, segment.fileSize, segment.memorySize, segment.align]
  for (const [index, value] of longs.entries()) setLong(view, at + 8 * (index + 1), value)
}

/** Records that everything from `from` on, including the section table, has moved down by `by` bytes. */
export function moveSections({ view, sections }: Elf, from: number, by: number): void {
  for (const { at, offset } of sections) if (offset >= from) setLong(view, at + 24, offset - by)
  setLong(view, sectionsField, getLong(view, sectionsField) - by)
}

const sectionsField = 0x28

const getLong = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))
const setLong = (view: DataView, at: number, value: number) => view.setBigUint64(at, BigInt(value), true)
