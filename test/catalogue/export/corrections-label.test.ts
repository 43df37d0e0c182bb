import { afterAll, beforeAll, expect, test } from 'bun:test'
import { correctionsLabel } from '../../../src/catalogue/export/corrections'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'

let here: CatalogueStore
beforeAll(async () => {
  here = await catalogueStore()
})
afterAll(() => here.close())

test.each([
  ['https://kiroku.example.net/log', 'kiroku.example.net'],
  ['http://localhost:3000', 'instance'],
  ['https://kiroku.local', 'instance'],
  ['http://192.168.1.5', 'instance'],
  ['http://[fd00::1]:3000', 'instance'],
  [undefined, 'instance'],
])('D98: an instance at %p is known to others as %s', (baseUrl, label) => {
  expect(correctionsLabel(here.handle, baseUrl)).toBe(label)
})

test('D98: an instance that others cannot reach is known by the beginning of its own id', () => {
  here.handle.run(
    "insert or replace into instance (name, value) values ('instance_id', 'ABCDEF01-2345-6789-ffff')",
  )
  expect(correctionsLabel(here.handle, 'http://localhost:3000')).toBe('ABCDEF01-2345')
})
