import {
  moveSections,
  PT_LOAD,
  PT_NOTE,
  readElf,
  SHF_TLS,
  SHT_NOBITS,
  SHT_PROGBITS,
  writeSegment,
} from './elf'

/**
 * Bun embeds behind `.bss` in the same segment, so that the file holds 1.8 MB of zeros which the loader would make by itself.
 * This gives what is embedded a segment of its own, whose header is that of the notes (the build id): there is no room for
 * another one. Leaves other layouts and formats as they are. Throws if what it would cut out is not zeros.
 */
export async function dropZeros(path: string): Promise<void> {
  const bytes = await Bun.file(path).bytes()
  const elf = readElf(bytes)
  const data = elf?.segments.findLast(({ type }) => type === PT_LOAD)
  const note = elf?.segments.findLast(({ type }) => type === PT_NOTE)
  const zeros = elf?.sections.find(({ type, flags }) => type === SHT_NOBITS && (flags & SHF_TLS) === 0)
  const embedded = elf?.sections.find(
    ({ type, address }) => type === SHT_PROGBITS && address > (zeros?.address ?? Infinity),
  )
  if (!elf || !data || !note || !zeros || !embedded || note.at < data.at) return
  // The loader maps whole pages: an offset is its address modulo their size.
  const offset = zeros.offset + ((embedded.offset - zeros.offset) % data.align)
  if (bytes.subarray(zeros.offset, embedded.offset).some((byte) => byte !== 0))
    throw new Error(`${path}: .bss is not empty`)
  const { address, size } = embedded
  const fileSize = zeros.offset - data.offset
  writeSegment(elf.view, { ...data, fileSize, memorySize: address - data.address })
  writeSegment(elf.view, { ...data, at: note.at, offset, address, fileSize: size, memorySize: size })
  moveSections(elf, embedded.offset, embedded.offset - offset)
  await Bun.write(path, new Blob([bytes.subarray(0, offset), bytes.subarray(embedded.offset)]))
}
