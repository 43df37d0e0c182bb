import { settings } from '../config'
import { Failure } from '../lib/failure'
import type { OptionReader } from '../options/option'
import { urlOf } from './url'

/** What the links of an instance start with (D54), from the settings its server has. Throws a `config` failure. */
export function baseUrlOf({ get }: OptionReader): string {
  const given = get(settings.baseUrl)
  if (given !== undefined) return given
  const port = get(settings.port)
  if (port !== 0) return urlOf(get(settings.host), port)
  throw unknownPort()
}

/** Port 0 lets the system choose one, which only the server learns. */
export const unknownPort = () =>
  new Failure('config', 'which port the server took is not known: give --port or --base-url')
