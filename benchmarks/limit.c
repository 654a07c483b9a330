/* One rule book's random game written out by hand in C: what a program that knows only these rules can reach.

   It deals the same rounds and makes the same choices as `maumau simulate --bots random`, so that its number of actions
   is a check on both. The ranks stand in the code here, and nothing can be switched: BOOK is 0 family, 1 classic,
   2 international, 3 study. Calls change nothing in a random round, since nobody says or catches anything; where Mau-Mau
   is needed, the last card waits for one more action.

   Build: gcc -O3 -march=native -DBOOK=1 limit.c -o limit; run: limit SEATS SEED ROUNDS. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FAMILY, CLASSIC, INTERNATIONAL, STUDY };

#ifndef BOOK
#define BOOK CLASSIC
#endif
#define LOWEST (BOOK == INTERNATIONAL ? 0 : 5)
#define VOLUNTARY (BOOK == FAMILY || BOOK == CLASSIC)
#define DRAWN_ONLY (BOOK != CLASSIC)
#define JACK_ON_JACK (BOOK != FAMILY)
#define ANSWERS (BOOK != STUDY)
#define STARTER_ACTS (BOOK == FAMILY || BOOK == CLASSIC)
#define LAST_WAITS (BOOK == INTERNATIONAL)

enum { SEVEN = 5, EIGHT = 6, NINE = 7, JACK = 9, HAND = 5, ANY = -1, RUNNING = -2, BLOCKED = -1 };

typedef struct {
  uint32_t a, b, c, d;
} Chance;

typedef struct {
  uint64_t hand[8];
  uint8_t held[8], stock[56], pile[56];
  int stock_n, pile_n, seats, turn, top, suit, printed, penalty, drew, drawn, passes, winner, waits, names;
  Chance chance;
} Round;

static inline uint32_t word(Chance *r) {
  uint32_t out = r->a + r->b + r->d++;
  r->a = r->b ^ (r->b >> 9);
  r->b = r->c + (r->c << 3);
  r->c = ((r->c << 21) | (r->c >> 11)) + out;
  return out;
}

static inline int below(Chance *r, uint32_t n) {
  uint64_t product = (uint64_t)word(r) * n;
  if (__builtin_expect((uint32_t)product < n, 0)) {
    uint32_t unfair = -n % n;
    while ((uint32_t)product < unfair) product = (uint64_t)word(r) * n;
  }
  return product >> 32;
}

static void seed_with(Chance *r, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  *r = (Chance){a, b, c, d};
  for (int i = 0; i < 12; i++) word(r);
}

static void shuffle(Round *s) {
  for (int last = s->stock_n - 1; last > 0; last--) {
    int other = below(&s->chance, last + 1);
    uint8_t card = s->stock[last];
    s->stock[last] = s->stock[other];
    s->stock[other] = card;
  }
}

static inline uint64_t of_rank(int rank) { return 0xFULL << 4 * rank; }
static inline uint64_t of_suit(int suit) { return 0x1111111111111ULL << suit; }

static inline int after(const Round *s, int seat) { return seat + 1 == s->seats ? 0 : seat + 1; }

static inline void give_turn(Round *s, int seat) {
  s->turn = seat;
  s->drew = 0;
}

static inline int draw_cards(Round *s, int seat, int n) {
  int got = 0;
  for (; got < n; got++) {
    if (s->stock_n == 0) {
      if (s->pile_n <= 1) break;
      s->stock_n = s->pile_n - 1;
      memcpy(s->stock, s->pile, s->stock_n);
      s->pile[0] = s->pile[s->pile_n - 1];
      s->pile_n = 1;
      shuffle(s);
    }
    s->drawn = s->stock[--s->stock_n];
    s->hand[seat] |= 1ULL << s->drawn;
    s->held[seat]++;
  }
  return got;
}

static inline void no_card(Round *s) {
  if (++s->passes >= s->seats) s->winner = BLOCKED;
}

/* What a card laid by a seat does to the next ones. */
static inline void card_acts(Round *s, int seat, int card) {
  int rank = card >> 2, next = after(s, seat);
  if (rank == EIGHT) next = after(s, next);
  give_turn(s, next);
  if (rank != SEVEN) return;
  if (ANSWERS) {
    s->penalty += 2;
    return;
  }
  if (draw_cards(s, next, 2) == 0) no_card(s);
  give_turn(s, after(s, next));
}

static void deal(Round *s, int seats, uint64_t seed, uint64_t number) {
  memset(s->hand, 0, sizeof s->hand);
  memset(s->held, 0, sizeof s->held);
  seed_with(&s->chance, seed >> 32, seed, number >> 32, number);
  s->seats = seats;
  s->penalty = s->passes = s->drew = s->waits = s->names = 0;
  s->winner = RUNNING;
  int dealer = below(&s->chance, seats), n = 0;
  for (int card = 4 * LOWEST; card < 52; card++) s->stock[n++] = card;
  s->stock_n = n;
  if (BOOK == STUDY) {
    int found = 4 * (NINE - LOWEST) + below(&s->chance, 4), place = n - 1 - HAND * seats;
    uint8_t starter = s->stock[found];
    s->stock[found] = s->stock[--s->stock_n];
    shuffle(s);
    s->stock[s->stock_n++] = s->stock[place];
    s->stock[place] = starter;
  } else {
    shuffle(s);
  }
  int seat = dealer;
  for (int i = 0; i < HAND * seats; i++) {
    seat = after(s, seat);
    draw_cards(s, seat, 1);
  }
  s->top = s->pile[0] = s->stock[--s->stock_n];
  s->pile_n = 1;
  s->suit = s->top & 3;
  s->printed = 1;
  int jack = s->top >> 2 == JACK;
  if (BOOK == INTERNATIONAL && jack) {
    s->names = 1;
    give_turn(s, dealer);
    return;
  }
  if (STARTER_ACTS)
    card_acts(s, dealer, s->top);
  else
    give_turn(s, after(s, dealer));
  if (jack) s->suit = ANY;
}

static inline uint64_t playable(const Round *s) {
  uint64_t hand = s->hand[s->turn], jacks = of_rank(JACK);
  if (s->penalty) return hand & of_rank(SEVEN);
  uint64_t fits;
  if (s->suit == ANY) {
    fits = BOOK == FAMILY ? ~jacks : ~0ULL;
  } else {
    fits = of_suit(s->suit) | jacks;
    if (s->printed) fits |= of_rank(s->top >> 2);
    if (!JACK_ON_JACK && s->top >> 2 == JACK) fits &= ~jacks;
  }
  if (DRAWN_ONLY && s->drew) fits &= 1ULL << s->drawn;
  return hand & fits;
}

static inline void play(Round *s, int card, int wish) {
  int seat = s->turn;
  s->hand[seat] ^= 1ULL << card;
  s->held[seat]--;
  s->pile[s->pile_n++] = card;
  s->top = card;
  s->suit = card & 3;
  s->printed = 1;
  s->passes = 0;
  if (s->held[seat] == 0) {
    if (LAST_WAITS) {
      s->waits = 1;
      s->names = seat;
    } else {
      s->winner = seat;
    }
    return;
  }
  if (wish >= 0) {
    s->suit = wish;
    s->printed = 0;
  }
  card_acts(s, seat, card);
}

static inline int nth(uint64_t mask, int n) {
  while (n--) mask &= mask - 1;
  return __builtin_ctzll(mask);
}

/* The one choice that is no card: take, draw or pass. */
static inline void do_without(Round *s, int drawing) {
  int seat = s->turn;
  if (s->penalty) {
    int due = s->penalty;
    s->penalty = 0;
    if (draw_cards(s, seat, due))
      s->passes = 0;
    else
      no_card(s);
    give_turn(s, after(s, seat));
  } else if (drawing) {
    draw_cards(s, seat, 1);
    s->drew = 1;
    s->passes = 0;
    if (!playable(s)) give_turn(s, after(s, seat));
  } else {
    if (!s->drew) no_card(s);
    give_turn(s, after(s, seat));
  }
}

static inline void act(Round *s, Chance *r) {
  if (BOOK == INTERNATIONAL && __builtin_expect(s->waits | s->names, 0)) {
    if (s->waits) {
      s->winner = s->names;
    } else {
      s->names = 0;
      s->suit = below(r, 4);
      s->printed = 0;
      give_turn(s, after(s, s->turn));
    }
    return;
  }
  uint64_t mask = playable(s), wishing = s->held[s->turn] == 1 ? 0 : mask & of_rank(JACK);
  int cards = __builtin_popcountll(mask), plays = cards + 3 * __builtin_popcountll(wishing);
  int supply = s->stock_n + s->pile_n - 1, open = VOLUNTARY || !mask;
  int drawing = !s->penalty && !s->drew && open && supply > 0;
  int other = s->penalty || drawing || s->drew || (open && supply <= 0);
  int choice = below(r, plays + other);
  if (choice >= plays) {
    do_without(s, drawing);
  } else if (choice < cards) {
    int card = nth(mask, choice);
    play(s, card, wishing >> card & 1 ? 3 : -1);
  } else {
    play(s, nth(wishing, (choice - cards) / 3), (choice - cards) % 3);
  }
}

int main(int argc, char **argv) {
  int seats = argc > 1 ? atoi(argv[1]) : 4;
  uint64_t seed = argc > 2 ? strtoull(argv[2], 0, 10) : 0, rounds = argc > 3 ? strtoull(argv[3], 0, 10) : 100000;
  uint64_t actions = 0, won = 0;
  struct timespec from, to;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  for (uint64_t number = 0; number < rounds; number++) {
    Round s;
    Chance r;
    deal(&s, seats, seed, number);
    seed_with(&r, (uint32_t)(seed >> 32) ^ 0x6D61756D, seed, number >> 32, number);
    while (s.winner == RUNNING) {
      act(&s, &r);
      actions++;
    }
    won += s.winner == 0;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  double seconds = to.tv_sec - from.tv_sec + 1e-9 * (to.tv_nsec - from.tv_nsec);
  printf("{\"actions\": %" PRIu64 ", \"won\": %" PRIu64 ", \"seconds\": %f}\n", actions, won, seconds);
}
