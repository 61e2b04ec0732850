/* Button box for the ATmega328P (Uno, Nano) at 16 MHz; docs/button-box.md is the
 * contract, docs/wiring.md says what is soldered where. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <util/atomic.h>
#include <util/crc16.h>
#include <util/delay.h>

#define BUTTONS 13
#define LINE 64         /* bytes, newline included */
#define EVENTS 32       /* presses and releases kept until acknowledged */
#define STEADY_MS 20    /* a contact must rest this long: bounce is up to 15 ms */
#define RESEND_MS 150
#define BEAT_MS 500
#define STALE_MS 30000  /* older presses would surprise whoever comes back */
#define ID 8
#define DATA _BV(PC1)
#define CLOCK _BV(PC2)
#define LATCH _BV(PC3)
#define DIO _BV(PC4)
#define CLK _BV(PC5)

static volatile uint32_t ticks;
static uint32_t heard, sent, beaten;
static uint8_t ring[EVENTS], head, count, sequence = 1;
static uint16_t stable, candidate, lights, boot, dropped;
static uint32_t since[BUTTONS];
static char display[5] = "----", id[ID + 1];
static char line[LINE];
static uint8_t length;
static bool overlong;

static volatile uint8_t received[128], got, taken;

ISR(TIMER0_COMPA_vect) { ticks++; }
ISR(USART_RX_vect)
{
    uint8_t byte = UDR0, next = (got + 1) & 127;
    if (next != taken) { received[got] = byte; got = next; }
}

static uint32_t now(void)
{
    uint32_t value;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { value = ticks; }
    return value;
}

static void put(char c)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = c;
}

static void say(const char *body)
{
    char tail[7];
    uint16_t crc = 0;
    put('\n');           /* whatever broke off before spoils its own line only */
    for (; *body; body++) { crc = _crc_xmodem_update(crc, *body); put(*body); }
    snprintf(tail, sizeof tail, "*%04X\n", crc);
    for (char *c = tail; *c; c++) put(*c);
}

static void hello(void)
{
    char body[LINE];
    snprintf(body, sizeof body, "00 HELLO 1 %s %04X", id, boot);
    say(body);
}

static void say_event(void)
{
    char body[24];
    snprintf(body, sizeof body, "%02X %s %u %04X", sequence,
             ring[head] & 0x80 ? "DOWN" : "UP", ring[head] & 0x7F, boot);
    say(body);
    sent = now();
}

static void drop_first(void)
{
    head = (head + 1) % EVENTS;
    count--;
    if (++sequence == 0) sequence = 1;
}

static void show_lights(void)
{
    for (uint8_t bit = 16; bit--;) {
        if (lights >> bit & 1) PORTC |= DATA; else PORTC &= ~DATA;
        PORTC |= CLOCK;
        PORTC &= ~CLOCK;
    }
    PORTC |= LATCH;
    PORTC &= ~LATCH;
}

/* TM1637: open-drain lines, low by driving, high by letting go */
static void wire(uint8_t pin, bool high)
{
    if (high) DDRC &= ~pin; else DDRC |= pin;
    _delay_us(3);
}
static void tm_start(void) { wire(DIO, true); wire(CLK, true); wire(DIO, false); wire(CLK, false); }
static void tm_stop(void) { wire(DIO, false); wire(CLK, true); wire(DIO, true); }
static void tm_byte(uint8_t byte)
{
    for (uint8_t i = 0; i < 8; i++, byte >>= 1) {
        wire(DIO, byte & 1); wire(CLK, true); wire(CLK, false);
    }
    wire(DIO, true); wire(CLK, true); wire(CLK, false); /* its acknowledgement */
}
static uint8_t segments(char c)
{
    static const uint8_t digits[] = {0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F};
    return c >= '0' && c <= '9' ? digits[c - '0'] : c == '-' ? 0x40 : 0;
}
static void show_display(void)
{
    tm_start(); tm_byte(0x40); tm_stop();
    tm_start(); tm_byte(0xC0);
    for (uint8_t i = 0; i < 4; i++) tm_byte(segments(display[i]));
    tm_stop();
    tm_start(); tm_byte(0x8A); tm_stop();
}

static void ack(const char *number)
{
    char body[10];
    snprintf(body, sizeof body, "00 ACK %.2s", number);
    say(body);
}

static void obey(void)
{
    char *star = length > 10 ? line + length - 5 : NULL, *words, tail[6];
    uint16_t crc = 0;
    if (!star) return;
    for (char *c = line; c < star; c++) {
        if (*c < ' ' || *c > '~') return;
        crc = _crc_xmodem_update(crc, *c);
    }
    snprintf(tail, sizeof tail, "*%04X", crc);
    if (strcmp(tail, star)) return;
    *star = 0;
    if (line[2] != ' ') return;
    heard = now();
    words = line + 3;
    if (!strcmp(words, "WHO")) {
        hello();
    } else if (!strncmp(words, "ACK ", 4)) {
        if (count && strtoul(words + 4, NULL, 16) == sequence) {
            drop_first();
            if (count) say_event();
        }
    } else if (!strncmp(words, "SHOW ", 5) && strlen(words) == 13 && words[8] == ' ') {
        lights = strtoul(words + 5, NULL, 16) & 0x1FF;
        memcpy(display, words + 9, 4);
        show_lights();
        show_display();
        ack(line);
    } else if (!strncmp(words, "NAME ", 5) && strlen(words) <= 5 + ID && words[5]
               && !strpbrk(words + 5, " *")) {
        strcpy(id, words + 5);
        eeprom_update_block(id, (void *)2, ID + 1);
        ack(line);
        hello();
    }
}

static void listen(void)
{
    while (taken != got) {
        char c = received[taken];
        taken = (taken + 1) & 127;
        if (c == '\n') {
            line[length] = 0;
            if (!overlong) obey();
            length = 0;
            overlong = false;
        } else if (length < LINE - 1) {
            line[length++] = c;
        } else {
            overlong = true;
        }
    }
}

static uint16_t contacts(void)
{
    return ~(PIND >> 2 | (uint16_t)(PINB & 0x3F) << 6 | (uint16_t)(PINC & 1) << 12) & 0x1FFF;
}

static bool stale(void) { return now() - heard >= STALE_MS; }

static void watch_buttons(void)
{
    uint16_t seen = contacts();
    for (uint8_t i = 0; i < BUTTONS; i++) {
        uint16_t bit = 1U << i;
        if ((seen ^ candidate) & bit) {
            candidate ^= bit;
            since[i] = now();
        } else if (((candidate ^ stable) & bit) && now() - since[i] >= STEADY_MS) {
            stable ^= bit;
            if (count == EVENTS || stale()) { dropped++; continue; }
            ring[(head + count++) % EVENTS] = i | (stable & bit ? 0x80 : 0);
            if (count == 1) say_event();
        }
    }
}

int main(void)
{
    char body[24];
    MCUSR = 0;                                  /* or the watchdog stays at its shortest */
    wdt_enable(WDTO_500MS);
    PORTD = 0xFC; PORTB = 0x3F; PORTC = 1;      /* pull-ups: a button closes to ground */
    DDRC = DATA | CLOCK | LATCH;
    TCCR0A = _BV(WGM01); TCCR0B = _BV(CS01) | _BV(CS00); OCR0A = 249; TIMSK0 = _BV(OCIE0A);
    UCSR0A = _BV(U2X0); UBRR0 = 16;             /* 115200 baud */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    boot = eeprom_read_word(0) + 1;
    eeprom_update_word(0, boot);
    eeprom_read_block(id, (void *)2, ID + 1);
    id[ID] = 0;
    if (id[0] < '!' || id[0] > '~') strcpy(id, "box");
    sei();
    show_lights();
    show_display();
    hello();
    candidate = stable = contacts();            /* held through a reset: not pressed again */
    for (;;) {
        wdt_reset();
        listen();
        watch_buttons();
        if (count && now() - sent >= RESEND_MS) say_event();
        if (count && stale()) {
            /* only the first was said, and may have been heard: it alone uses up its number */
            dropped += count;
            count = 1;
            drop_first();
        }
        if (now() - beaten >= BEAT_MS) {
            beaten = now();
            snprintf(body, sizeof body, "00 BEAT %u %04X", dropped, boot);
            say(body);
        }
    }
}
