import { createOptionReader } from '../src/cli/settings/given'
import { type Config, readSettings } from '../src/config'

export const configOf = (data: string): Config => ({
  ...readSettings(createOptionReader(new Map([['data', data]]), {})),
  baseUrl: 'http://127.0.0.1',
  rateLimit: null,
})
