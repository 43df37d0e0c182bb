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
 * Bun embeds its data after `.bss` in the same segment, so the file contains 1.8 MB of zeros that the loader would create
 * itself. This gives the embedded data a segment of its own, reusing the header of the notes (the build id), as there is
 * no room for another. Leaves other layouts and formats alone. Throws if what it would cut out is not zeros.
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
  // The loader maps whole pages: an offset must equal its address modulo their size.
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
