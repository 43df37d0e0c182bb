import { Failure } from '../../../lib/failure'
import { contentsOf } from '../../../options/environment'
import type { Option } from '../../../options/option'
import { givenLocation, splitLocation } from '../../../sources/location'
import { disableSource, enableSource, needs, settingOf } from '../../../sources/run/settings'
import type { AnySource } from '../../../sources/source'
import { nonBlank } from '../../../values/text'
import type { CliCall, Command } from '../../command'
import { withStore } from '../../open'
import { ask } from '../../password'
import { sourceNamed } from './wanted-sources'

const location: Option<string | undefined> = {
  name: 'location',
  type: 'URL|FOLDER',
  sentence: 'The location of the source, if it needs one: an https URL, a folder or a file.',
  defaultText: '',
  defaultValue: undefined,
  value: nonBlank,
}

const tokenFile: Option<string | undefined> = {
  name: 'token-file',
  type: 'FILE',
  sentence: 'The file that holds the token, for a source that needs one.',
  defaultText: 'standard input',
  defaultValue: undefined,
  value: nonBlank,
}

export const catalogueSourcesEnable: Command = {
  name: 'catalogue sources enable',
  summary: 'Enables automatic updates from a catalogue source.',
  operands: [{ name: 'NAME' }],
  options: [location, tokenFile],
  examples: [
    'kiroku catalogue sources enable wikidata',
    'kiroku catalogue sources enable annict --token-file token.txt',
    'kiroku catalogue sources enable kiroku --location https://example.com/catalogue/',
  ],
  run: async (call) => {
    const source = sourceNamed(call.operands[0] ?? '')
    for (const { name, setting } of given) {
      if (call.get(name) !== undefined && !needs(source, setting))
        throw new Failure('usage', `--${name.name}: ${source.name} has no ${setting}`)
    }
    await withStore(call, async (store) => {
      const { hasToken } = await settingOf(store.read, source.name)
      const token = needs(source, 'token') ? await tokenOf(call, hasToken) : undefined
      const missing = await enableSource({ ...store, ...call }, source, { location: locationOf(call), token })
      if (missing === 'location')
        throw new Failure('config', `${source.name} needs a location: give --location`)
      if (missing === 'token') throw new Failure('config', `${source.name} needs a token: give --token-file`)
    })
    const asked =
      source.intervalMs === undefined ? `, and asked by kiroku catalogue update ${source.name}` : ''
    await call.print(`${source.name} is enabled${asked}; ${contacts(source, locationOf(call))}`)
  },
}

function contacts({ hosts }: AnySource, location: string | undefined): string {
  const { place } = splitLocation(location ?? '')
  if (place !== '' && !/^https?:/i.test(place)) return `it reads ${place}`
  const named = place === '' ? hosts : [...new Set([new URL(place).host, ...hosts])]
  return `it contacts ${named.join(', ') || 'the location that is set'}`
}

export const catalogueSourcesDisable: Command = {
  name: 'catalogue sources disable',
  summary: 'Disables a catalogue source and deletes its token. Imported data stays.',
  operands: [{ name: 'NAME' }],
  options: [],
  examples: ['kiroku catalogue sources disable annict'],
  run: async (call) => {
    const source = sourceNamed(call.operands[0] ?? '')
    await withStore(call, ({ write }) => disableSource({ write }, source.name))
    await call.print(`${source.name} is disabled`)
  },
}

const given = [
  { name: location, setting: 'location' },
  { name: tokenFile, setting: 'token' },
] as const

function locationOf(call: CliCall): string | undefined {
  const text = call.get(location)
  if (text === undefined) return undefined
  const found = givenLocation(text)
  if (found !== undefined) return found
  throw new Failure(
    'usage',
    `--location must be an https URL without a password, or an existing folder or file, not ${JSON.stringify(text)}`,
  )
}

/** From the file, or else from standard input or the terminal if none is stored yet. */
async function tokenOf(call: CliCall, isKept: boolean): Promise<string | undefined> {
  const path = call.get(tokenFile)
  if (path === undefined && isKept) return undefined
  const text = path === undefined ? await typed() : contentsOf(path, '--token-file')
  const token = text.trim()
  if (token === '') return undefined
  if (/^[!-~]{1,500}$/.test(token)) return token
  throw new Failure('data', 'the token must be one line of at most 500 letters, digits and punctuation marks')
}

const typed = () => (process.stdin.isTTY ? ask('Token: ') : Bun.stdin.text())
