import { Failure } from '../../lib/failure'
import type { S3Settings } from './s3-settings'

/** The server cannot be reached, answers with an error, or does not behave like an S3 server. */
export class S3Refused extends Failure {
  /** An S3 error code, or empty. */
  readonly code: string
  readonly mayPass: boolean

  constructor(kind: 'config' | 'io', message: string, { code = '', mayPass = false } = {}) {
    super(kind, message)
    this.code = code
    this.mayPass = mayPass
  }
}

export interface Refusal {
  readonly status: number
  /** Empty if the answer had none, as for HEAD. */
  readonly code: string
  readonly region: string
}

/** Names the option to change. Repeats only the codes of a server's answer: its text could contain anything. */
export function refused(settings: S3Settings, { status, code, region }: Refusal): S3Refused {
  const advice = isMisdirected(status, code)
    ? regionAdvice(settings, region)
    : adviceOn(settings, status, code)
  const shown = code === '' ? `status ${status}` : code
  return new S3Refused(
    advice === undefined ? 'io' : 'config',
    `${addressOf(settings)}: ${advice ?? 'the server refused'} (${shown})`,
    { code, mayPass: /^(?:5(?!01)\d\d|429|408)$/.test(`${status}`) || passing.has(code) },
  )
}

export const notS3 = (settings: S3Settings, why: string): S3Refused =>
  new S3Refused(
    'config',
    `${addressOf(settings)}: ${settings.endpoint} is no S3 server: ${why}; set --s3-endpoint`,
  )

export const unreachable = (settings: S3Settings, why: string): S3Refused =>
  new S3Refused(
    'io',
    `${addressOf(settings)}: no answer from ${settings.endpoint} (${why}); is --s3-endpoint right?`,
    { mayPass: true },
  )

export const addressOf = ({ bucket, prefix }: S3Settings): string =>
  `s3://${bucket}/${prefix}`.replace(/\/$/, '')

const isMisdirected = (status: number, code: string) =>
  (status >= 300 && status < 400) || code === 'AuthorizationHeaderMalformed'

function regionAdvice({ region, endpoint }: S3Settings, actual: string): string {
  const where = actual === '' ? 'elsewhere' : `in the region ${actual}`
  return `the bucket is ${where}: set --s3-region (now ${region}) and --s3-endpoint (now ${endpoint})`
}

function adviceOn({ bucket }: S3Settings, status: number, code: string): string | undefined {
  switch (code) {
    case 'InvalidAccessKeyId':
      return 'the server does not know the key: set KIROKU_S3_ACCESS_KEY_ID'
    case 'SignatureDoesNotMatch':
      return 'the secret is not that of the key: set KIROKU_S3_SECRET_ACCESS_KEY'
    case 'RequestTimeTooSkewed':
      return 'the clock of this machine is wrong by more than 15 minutes: set it'
    case 'NoSuchBucket':
      return `there is no bucket ${bucket}: make it, or change --backup-to`
  }
  return status === 401 || status === 403 ? forbidden : undefined
}

const forbidden =
  'the key may not do this: its policy must allow listing, reading, writing and deleting here, or KIROKU_S3_ACCESS_KEY_ID names another key'

const passing = new Set(['InternalError', 'RequestTimeout', 'ServiceUnavailable', 'SlowDown'])
