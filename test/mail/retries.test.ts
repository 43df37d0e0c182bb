import { describe, expect, test } from 'bun:test'
import type { Facts } from '../../src/log/levels'
import { createMail, type Letter, type Pause } from '../../src/mail/mail'
import { smtpDelivery } from '../../src/mail/open-mail'
import { startSmtp } from '../support/smtp'

const letter: Letter = { to: 'mio@example.com', subject: '', text: '' }

/** Mail delivered to a server, with the lines it logs and the pauses it makes. */
function mailTo(smtpUrl: string, pause?: Pause) {
  const lines: Facts[] = []
  const pauses: number[] = []
  const deliver = smtpDelivery({ smtpUrl, from: 'kiroku@example.com' })
  const mail = createMail(
    deliver,
    (_, facts = {}) => lines.push(facts),
    (ms, signal) => {
      pauses.push(ms / 60_000)
      return pause?.(ms, signal) ?? Promise.resolve()
    },
  )
  return { mail, lines, pauses, outcomes: () => lines.map(({ outcome }) => outcome) }
}

/** A pause that lasts until the server stops. */
const untilTheEnd: Pause = (_, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

/** Queues letters that all get their turn, and waits for the last. */
async function sendAll({ mail }: ReturnType<typeof mailTo>, write = async () => letter): Promise<void> {
  mail.send(write)
  for (let turns = 0; turns < 20; turns += 1) await mail.idle()
}

describe('a letter', () => {
  test.each([550, 554, 503])('refused for good, with %p, is not tried again', async (code) => {
    using smtp = startSmtp({ refuse: [code] })
    const to = mailTo(smtp.url)
    await sendAll(to)
    expect([to.outcomes(), to.pauses, smtp.letters]).toEqual([['failed'], [], []])
  })

  test('refused temporarily is tried again after 1, 5 and 15 minutes, and then given up', async () => {
    using smtp = startSmtp({ refuse: [451, 421, 450, 452] })
    const to = mailTo(smtp.url)
    await sendAll(to)
    expect(to.outcomes()).toEqual(['delayed', 'delayed', 'delayed', 'failed'])
    expect([to.pauses, smtp.letters]).toEqual([[1, 5, 15], []])
    expect(to.lines[0]).toEqual({ outcome: 'delayed', why: 'EENVELOPE 451', seconds: 60 })
    expect(JSON.stringify(to.lines)).not.toContain('mio@example.com')
  })

  test('to a server that does not respond is tried again', async () => {
    const to = mailTo('smtp://127.0.0.1:1')
    await sendAll(to)
    expect(to.outcomes()).toEqual(['delayed', 'delayed', 'delayed', 'failed'])
  })

  test('is written once, however often it is tried, and not tried if it cannot be written', async () => {
    using smtp = startSmtp({ refuse: [450, 450] })
    const to = mailTo(smtp.url)
    let written = 0
    await sendAll(to, async () => {
      written += 1
      return letter
    })
    expect([written, to.outcomes()]).toEqual([1, ['delayed', 'delayed', 'sent']])
    await sendAll(to, () => Promise.reject(new Error('no')))
    expect(to.outcomes().at(-1)).toBe('failed')
    expect(smtp.letters).toHaveLength(1)
  })

  test('waiting for a retry does not delay those after it', async () => {
    using smtp = startSmtp({ refuse: [450] })
    const again = Promise.withResolvers<void>()
    const to = mailTo(smtp.url, () => again.promise)
    to.mail.send(async () => letter)
    await sendAll(to, async () => ({ ...letter, to: 'azusa@example.com' }))
    expect(smtp.letters.map(({ to }) => to)).toEqual(['azusa@example.com'])
    again.resolve()
    await to.mail.finish()
    expect(smtp.letters.map(({ to }) => to)).toEqual(['azusa@example.com', 'mio@example.com'])
  })
})

describe('while a server makes letters wait', () => {
  const greylisting = () => {
    const again = Promise.withResolvers<void>()
    const delivered: string[] = []
    const lines: Facts[] = []
    let refuses = true
    let turn = Promise.resolve()
    const mail = createMail(
      async ({ to }) => {
        await turn
        if (refuses) throw Object.assign(new Error('greylisted'), { code: 'EENVELOPE', responseCode: 451 })
        delivered.push(to)
      },
      (_, facts = {}) => lines.push(facts),
      (_, signal) => Promise.race([again.promise, untilTheEnd(0, signal)]),
    )
    const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length
    const send = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1) {
        mail.send(async () => ({ ...letter, to: `${n}` }))
        await mail.idle()
      }
    }
    const takes = () => {
      refuses = false
    }
    /** From now on a delivery lasts until it is released. */
    const hold = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      turn = promise
      return resolve
    }
    return { mail, delivered, count, send, takes, hold, again: again.resolve }
  }

  test('they do not keep others from being sent, however many they are (B8)', async () => {
    const server = greylisting()
    await server.send(0, 200)
    expect([server.count('delayed'), server.count('dropped')]).toEqual([200, 0])
    server.takes()
    await server.send(200, 205)
    expect(server.delivered).toEqual(['200', '201', '202', '203', '204'])
    expect(server.count('dropped')).toBe(0)
    server.again()
    await server.mail.finish()
    expect(server.delivered).toHaveLength(205)
  })

  test('one that was never tried comes before retries', async () => {
    const server = greylisting()
    await server.send(0, 20)
    server.takes()
    const goOn = server.hold()
    const send = (to: string) => server.mail.send(async () => ({ ...letter, to }))
    send('slow')
    server.again()
    await new Promise((resolve) => setImmediate(resolve))
    for (const to of ['reset', 'confirmation']) send(to)
    goOn()
    await server.mail.finish()
    expect(server.delivered.slice(0, 3)).toEqual(['slow', 'reset', 'confirmation'])
    expect(server.delivered).toHaveLength(23)
  })

  test('promise 12: the newest 200 of them are kept, and each dropped one is logged', async () => {
    const server = greylisting()
    await server.send(0, 450)
    expect([server.count('delayed'), server.count('dropped')]).toEqual([450, 250])
    server.takes()
    await server.mail.finish()
    expect(server.delivered).toEqual(Array.from({ length: 200 }, (_, n) => `${n + 250}`))
  })

  test('promise 12: 200 never tried ones are kept, including the next in line', async () => {
    const turn = Promise.withResolvers<void>()
    const lines: Facts[] = []
    let delivered = 0
    const mail = createMail(
      async () => {
        await turn.promise
        delivered += 1
      },
      (_, facts = {}) => lines.push(facts),
    )
    for (let n = 0; n < 1000; n += 1) mail.send(async () => letter)
    expect(lines).toHaveLength(800)
    expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(new Set(['dropped']))
    turn.resolve()
    await mail.idle()
    expect(delivered).toBe(200)
  })
})

describe('when the server stops', () => {
  test('each letter is tried at most once more, at once', async () => {
    using smtp = startSmtp({ refuse: [450, 450, 450, 450] })
    const to = mailTo(smtp.url, untilTheEnd)
    await sendAll(to)
    await sendAll(to)
    expect(to.outcomes()).toEqual(['delayed', 'delayed'])
    await to.mail.finish()
    expect(to.outcomes()).toEqual(['delayed', 'delayed', 'failed', 'failed'])
  })

  test('those accepted then are sent', async () => {
    using smtp = startSmtp({ refuse: [450] })
    const to = mailTo(smtp.url, untilTheEnd)
    await sendAll(to)
    await to.mail.finish()
    expect([to.outcomes(), smtp.letters.length]).toEqual([['delayed', 'sent'], 1])
  })
})
