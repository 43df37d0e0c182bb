import { type Config, readSettings } from '../src/config'
import { createOptionReader } from '../src/options/given'

export const configOf = (data: string): Config => ({
  ...readSettings(createOptionReader(new Map([['data', data]]), {})),
  baseUrl: 'http://127.0.0.1',
  rateLimit: null,
})
