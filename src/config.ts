/** The settings of a running kiroku, all known and valid. */
export interface Config {
  readonly host: string
  /** 0 asks for a free port. */
  readonly port: number
  /** The data directory. */
  readonly data: string
  /** Where people and clients reach this instance, without a slash at the end; every absolute link starts with it (D2). */
  readonly baseUrl: string
  readonly registration: 'closed' | 'invite' | 'open'
  /** Whether the default catalogue is loaded. */
  readonly catalogue: boolean
  /** Requests a minute per token; null when not limited (D53). */
  readonly rateLimit: number | null
}
