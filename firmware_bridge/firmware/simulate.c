/* Runs box.hex in simavr: simulate HEX LINK. Its UART is a pseudo-terminal that LINK
 * points to; stdin takes commands (down N, up N, bounce N, reset, unplug, plug, quit),
 * stdout tells what the lights and the display show, read from the pins. */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define FINGER_MS 30    /* no finger is faster, however late its commands are read */
static avr_t *avr;
static const char *link_name;
static int master = -1, slave = -1, may_send = 1;
static unsigned shift, data, tm_bits, tm_count, bytes, dio = 1, clk = 1;
static unsigned char frame[8];

static void plug(void)
{
    struct termios raw;
    char name[128];
    if (openpty(&master, &slave, name, NULL, NULL)) exit(1);
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(master, F_SETFL, O_NONBLOCK);
    unlink(link_name);
    if (symlink(name, link_name)) exit(1);
}
static void unplug(void)
{
    unlink(link_name);
    if (master >= 0) { close(master); close(slave); }
    master = slave = -1;
}
static void from_avr(struct avr_irq_t *irq, uint32_t value, void *param)
{
    unsigned char byte = value;
    (void)irq; (void)param;
    if (master >= 0 && write(master, &byte, 1) < 0) return; /* nobody reads: lost */
}
static void flow(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq; (void)value;
    may_send = param != NULL;
}
static void shifted(struct avr_irq_t *irq, uint32_t value, void *param)
{
    static unsigned clock, latch, shown = 0xFFFF;
    (void)irq;
    if (param == (void *)1) data = value;
    if (param == (void *)2) { if (value && !clock) shift = (shift << 1 | data) & 0xFFFF; clock = value; }
    if (param == (void *)3) {
        if (value && !latch && shift != shown) { shown = shift; printf("lights %03X\n", shift); }
        latch = value;
    }
}
static void wires(struct avr_irq_t *irq, uint32_t value, void *param)
{
    unsigned d = !(value & 0x10), c = !(value & 0x20);
    (void)irq; (void)param;
    if (clk && c && dio && !d) { tm_count = tm_bits = bytes = 0; }
    else if (clk && c && !dio && d) {
        if (bytes == 5 && frame[0] == 0xC0)
            printf("display %02X %02X %02X %02X\n", frame[1], frame[2], frame[3], frame[4]);
    } else if (!clk && c) {
        if (tm_count < 8) tm_bits |= d << tm_count;
        if (++tm_count == 9) { if (bytes < 8) frame[bytes++] = tm_bits; tm_count = tm_bits = 0; }
    }
    dio = d; clk = c;
}
static int levels[13];
static void pin(unsigned n, int level)
{
    char port = n < 6 ? 'D' : n < 12 ? 'B' : 'C';
    unsigned bit = n < 6 ? n + 2 : n < 12 ? n - 6 : 0;
    levels[n] = level;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit), level);
}
static void run_ms(unsigned ms)
{
    avr_cycle_count_t end = avr->cycle + (avr_cycle_count_t)ms * 16000;
    while (avr->cycle < end) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) { printf("crashed\n"); exit(1); }
        if (may_send && master >= 0 && (avr->cycle & 1023) < 4) {
            unsigned char byte;
            if (read(master, &byte, 1) == 1)
                avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
        }
    }
}
static void command(char *text)
{
    unsigned n = 0;
    if (sscanf(text, "down %u", &n) == 1 && n < 13) pin(n, 0);
    else if (sscanf(text, "up %u", &n) == 1 && n < 13) pin(n, 1);
    else if (sscanf(text, "bounce %u", &n) == 1 && n < 13) {
        for (int i = 0; i < 15; i++) { pin(n, i & 1); run_ms(1); }
        pin(n, 0);
    }
    else if (!strncmp(text, "reset", 5)) {
        avr_reset(avr);
        for (n = 0; n < 13; n++) { int level = levels[n]; pin(n, !level); pin(n, level); }
    }
    else if (!strncmp(text, "unplug", 6)) unplug();
    else if (!strncmp(text, "plug", 4)) plug();
    else if (!strncmp(text, "quit", 4)) { unplug(); exit(0); }
}
int main(int argc, char **argv)
{
    uint32_t size, base, flags = 0;
    struct timespec begin, current;
    char text[128];
    size_t kept = 0;
    unsigned finger = 0;
    if (argc != 3) { fprintf(stderr, "simulate HEX LINK\n"); return 2; }
    link_name = argv[2];
    uint8_t *code = read_ihex_file(argv[1], &size, &base);
    if (!code || !(avr = avr_make_mcu_by_name("atmega328p"))) return 2;
    avr_init(avr);
    avr->frequency = 16000000;
    avr_loadcode(avr, code, size, base);
    avr->codeend = base + size - 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~AVR_UART_FLAG_STDIO;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_t *uart = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
    avr_irq_register_notify(uart + UART_IRQ_OUTPUT, from_avr, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XON, flow, avr);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, flow, NULL);
    for (long i = 1; i < 4; i++)
        avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), i), shifted, (void *)i);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_DIRECTION_ALL), wires, NULL);
    for (unsigned n = 0; n < 13; n++) pin(n, 1);
    fcntl(0, F_SETFL, O_NONBLOCK);
    plug();
    printf("ready\n");
    clock_gettime(CLOCK_MONOTONIC, &begin);
    double done = 0;
    for (;;) {
        ssize_t room = sizeof text - 1 - kept, n = room ? read(0, text + kept, room) : -1;
        if (n == 0) { unplug(); return 0; }
        if (n > 0) {
            text[kept += n] = 0;
            if (kept == sizeof text - 1 && !strchr(text, '\n')) kept = 0;
        }
        text[kept] = 0;
        char *end = strchr(text, '\n');
        if (end && !finger) {
            *end = 0;
            command(text);
            kept = strlen(end + 1);
            memmove(text, end + 1, kept + 1);
            finger = FINGER_MS;
        }
        if (finger) finger--;
        run_ms(1);
        for (n = 0; n < 13; n++) if (!levels[n]) pin(n, 0); /* pull-ups were switched on since */
        clock_gettime(CLOCK_MONOTONIC, &current);
        double wall = (current.tv_sec - begin.tv_sec) * 1e3 + (current.tv_nsec - begin.tv_nsec) / 1e6;
        if (++done > wall) usleep(1000);
        else if (wall - done > 5) done = wall;     /* a busy machine: do not race after it */
    }
}
