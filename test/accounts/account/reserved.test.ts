import { expect, test } from 'bun:test'
import { usernameText } from '../../../src/accounts/account/user'
import { routes } from '../../../src/app'
import { InvalidValue } from '../../../src/values/value'

const isReserved = (name: string) => usernameText.read(name, 0) instanceof InvalidValue
const first = new Set(routes.map(({ path }) => path.split('/')[1] ?? ''))

test.each([...first].filter((name) => /^[a-z_]{1,20}$/.test(name)))(
  'nobody is called %s, as an address of the instance begins (D50)',
  (name) => expect(isReserved(name)).toBe(true),
)

test('other names are not reserved', () => {
  for (const name of ['mio', 'hook', 'a', 'feeds2']) expect(isReserved(name)).toBe(false)
})
