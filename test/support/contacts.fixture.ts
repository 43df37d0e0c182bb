import { test } from 'bun:test'
import dns, { lookup, Resolver, resolve4 } from 'node:dns'
import { lookup as lookupPromise, resolveTxt } from 'node:dns/promises'
import { get } from 'node:https'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'

// Each of these must fail; no-contact.test.ts runs and counts them.

const quietly = async (ask: () => unknown) => {
  try {
    await ask()
  } catch {}
}
const letter = { from: 'a@example.com', to: 'b@example.com', text: '' }

const ways: Readonly<Record<string, () => unknown>> = {
  fetch: () => fetch('https://1.example/'),
  'a Request': () => fetch(new Request('http://2.example/')),
  'an address': () => fetch('http://192.0.2.7/'),
  WebSocket: () => new WebSocket('ws://3.example/'),
  'lookup of node:dns/promises': () => lookupPromise('4.example', { all: true }),
  'lookup of node:dns': () => lookup('5.example', () => {}),
  'dns.promises': () => dns.promises.lookup('6.example'),
  resolve4: () => resolve4('7.example', () => {}),
  resolveTxt: () => resolveTxt('8.example'),
  Resolver: () => new Resolver().resolve6('9.example', () => {}),
  'Bun.dns': () => Bun.dns.lookup('10.example'),
  'node:net': () => connect(80, '11.example').on('error', () => {}),
  'node:tls': () => connectTls(443, '12.example').on('error', () => {}),
  'node:https': () => get('https://13.example/').on('error', () => {}),
  'Bun.connect': () => Bun.connect({ hostname: '14.example', port: 80, socket: { data() {} } }),
  'a letter': () => createTransport('smtp://15.example').sendMail(letter),
}

test.each(Object.keys(ways))('%s', async (name) => {
  await quietly(() => ways[name]?.())
})
