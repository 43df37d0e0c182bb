/** JSONL in zstd. Level 19 saves a tenth more than 12 and takes 4 s of CPU instead of 0.2. */
export function pack(lines: object[], level: 12 | 19 = 12): Uint8Array<ArrayBuffer> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return new Uint8Array(Bun.zstdCompressSync(text, { level }))
}

/** What an instance keeps of the pack that it has loaded: xxHash64 in hexadecimal digits. */
export const hashOfPack = (pack: Uint8Array): string => Bun.hash.xxHash64(pack).toString(16)
