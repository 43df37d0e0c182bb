import { settings } from '../config'
import { Failure } from '../lib/failure'
import type { OptionReader } from '../options/option'
import { runningAddress } from './server/address-file'
import { urlOf } from './url'

/** The base of this instance's links (D54): from the settings, else of a running server. Throws a `config` failure. */
export function baseUrlOf({ get }: OptionReader): string {
  const port = get(settings.port)
  const isDefault = port === settings.port.defaultValue || port === 0
  const given = get(settings.baseUrl) ?? (isDefault ? runningAddress(get(settings.data))?.baseUrl : undefined)
  if (given === '') throw unknownPort()
  if (given !== undefined) return given
  if (port !== 0) return urlOf(get(settings.host), port)
  throw unknownPort()
}

/** With port 0 the system chooses a port, which only the server knows. */
export const unknownPort = () =>
  new Failure('config', 'the port of the server is not known: give --port or --base-url')
