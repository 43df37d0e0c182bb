/** Where a bucket is and who asks. The secret goes into signatures alone. */
export interface S3Settings {
  /** Such as `https://s3.eu-central-1.amazonaws.com`, without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Before the names of objects: empty, or ending in a slash. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** What tests replace. */
export interface S3World {
  /** In epoch milliseconds. */
  now(): number
  wait(milliseconds: number): Promise<void>
  /** How long, in milliseconds, a request may take that carries this many bytes. */
  patience(bytes: number): number
  /** How much is sent or read by one request; S3 wants 5 MiB at least. */
  readonly partBytes: number
}

export const realWorld: S3World = {
  now: Date.now,
  wait: (milliseconds) => Bun.sleep(milliseconds),
  patience: (bytes) => 60_000 + bytes / slowest,
  partBytes: 8 * 1024 * 1024,
}

/** 32 KiB/s, in bytes a millisecond. */
const slowest = 32.768
