export interface Palette {
  readonly ground: string
  /** The colour of the pattern on the ground. */
  readonly figure: string
  readonly titleOnGround: string
  readonly paper: string
  readonly titleOnPaper: string
  readonly seal: string
  readonly sealLetter: string
}

/** Traditional colours; titles have a contrast of at least 5, patterns of 1.3 to 1.6. */
export const palettes: readonly Palette[] = [
  palette('1f3a5c 35577f f6efe1 f4eee1 1f3a5c b8432f fff4e6'), // 藍
  palette('17233a 2c3d5b efe6d2 efe9dc 17233a d3a847 17233a'), // 鉄紺
  palette('24438a 3f5fa6 f6f0e2 f3efe4 213c7c e0ab45 1b2f63'), // 紺青
  palette('2f5f7a 4a7a94 f7f2e6 f3efe4 234c63 f0d9a0 234c63'), // 納戸
  palette('1f7080 3b8a97 f8f4e8 f4f1e6 175664 f3d27a 124a56'), // 浅葱
  palette('1d4a43 356860 f2eddc f1ecdc 1d4a43 d8a03e 16332f'), // 千歳緑
  palette('35553a 4f7053 f5f0df f2eddd 2f4d34 b8432f fff4e6'), // 松葉
  palette('666a28 7f8340 fbf6e4 f6f1de 4c5019 8a2b3a fbf1e6'), // 鶯
  palette('c2cb86 a9b566 2d3a12 f8f6e6 3c4a18 3c4a18 f4f3dc'), // 若草
  palette('e6b044 d0932a 402a08 fbf4e2 5a3b0c 8a2b1e fff1de'), // 山吹
  palette('b24a25 c6643e fff5e8 fbf1e3 8c3515 26374f f8eee0'), // 柿
  palette('9d2f2f b54c48 fbf0e4 f8eee2 8b2626 1f3247 f6ecdf'), // 茜
  palette('74263a 904457 f7ecdf f5ebdf 74263a d6a64a 4a1522'), // 蘇芳
  palette('e3a5a5 d58d90 571a2a fbf1ec 74263a 74263a fbeee8'), // 紅梅
  palette('f2d8d3 e3b8b5 6a2636 fdf7f2 7a2b3d a63f52 fff3ef'), // 桜
  palette('4b2a4b 694669 f3e9e3 f2eae5 4b2a4b d2a556 35183a'), // 葡萄
  palette('372c5e 52467d f0eae2 f0ebe4 372c5e d98b73 261b47'), // 紫紺
  palette('d9d1e8 c3b7da 3b2d62 faf7fb 46376f 5b4a8a f6f2fb'), // 藤
  palette('cadde6 a9c6d4 1c425c f7fafa 1f4a66 a6402f fff2e8'), // 水
  palette('d3e2d0 aecaac 224638 f8faf3 28503f 28503f f1f6ea'), // 白緑
  palette('ece0c6 d5c196 46361f fbf7ec 54401f 9d2f2f fdf2e4'), // 鳥の子
  palette('7d5a3f 95735a fdf5e9 f7efe2 5f4029 f0d59a 4b321e'), // 胡桃
  palette('45302a 624a42 f3e9da f2e9db 45302a cf8f4e 2c1b15'), // 焦茶
  palette('2b2b2e 454549 f1ece1 f1ede4 2b2b2e b8432f fff4e6'), // 墨
]

function palette(colours: string): Palette {
  const [
    ground = '',
    figure = '',
    titleOnGround = '',
    paper = '',
    titleOnPaper = '',
    seal = '',
    letter = '',
  ] = colours.split(' ').map((colour) => `#${colour}`)
  return { ground, figure, titleOnGround, paper, titleOnPaper, seal, sealLetter: letter }
}
