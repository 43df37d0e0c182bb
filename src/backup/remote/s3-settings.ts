/** Where a bucket is and whose key to use. The secret is used only for signatures. */
export interface S3Settings {
  /** For example `https://s3.eu-central-1.amazonaws.com`, without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Prefix of object names: empty, or ending in a slash. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Replaced in tests. */
export interface S3World {
  /** In epoch milliseconds. */
  now(): number
  wait(milliseconds: number): Promise<void>
  /** How long a request that carries this many bytes may take, in milliseconds. */
  patience(bytes: number): number
  /** How much one request sends or reads; S3 requires at least 5 MiB. */
  readonly partBytes: number
}

export const realWorld: S3World = {
  now: Date.now,
  wait: (milliseconds) => Bun.sleep(milliseconds),
  patience: (bytes) => 60_000 + bytes / slowest,
  partBytes: 8 * 1024 * 1024,
}

/** 32 KiB/s, in bytes per millisecond. */
const slowest = 32.768
